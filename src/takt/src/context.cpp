// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt/context.hpp"

#include <rcl/arguments.h>
#include <rcl/init.h>
#include <rcl/init_options.h>
#include <rmw/rmw.h>

#include <algorithm>
#include <system_error>
#include <utility>

#include "clock_follower.hpp"
#include "logging_system.hpp"
#include "pre_shutdown.hpp"
#include "takt/exceptions.hpp"
#include "takt/exchange.hpp"
#include "takt/job.hpp"
#include "takt/logging.hpp"
#include "takt_core/os/c_locale.hpp"
#include "takt_core/os/end_signals.hpp"
#include "takt_core/os/lock.hpp"
#include "takt_core/os/threads.hpp"
#include "takt_core/tasks/decimal.hpp"
#include "takt_core/tasks/middlewares.hpp"
#include "takt_core/tasks/nearest_name.hpp"
#include "takt_core/tasks/quiescence.hpp"

namespace takt {
namespace {

/// Cleans up a C struct of rcl at the end of a scope.
template <typename T>
struct Cleanup {
  T & value;
  rcl_ret_t (*fini)(T *);
  ~Cleanup() {
    if (fini(&value) != RCL_RET_OK) detail::take_rcl_error();
  }
};

void refuse_unknown_arguments(const rcl_arguments_t & arguments, char const * const * argv) {
  const int count = rcl_arguments_get_count_unparsed_ros(&arguments);
  if (count <= 0) return;
  const rcl_allocator_t allocator = rcl_get_default_allocator();
  int * indices = nullptr;
  detail::check(rcl_arguments_get_unparsed_ros(&arguments, allocator, &indices),
                "cannot list unknown ROS arguments");
  std::string list;
  for (int i = 0; i < count; ++i) list += std::string(" ") + argv[indices[i]];
  const std::string nearest = tasks::nearest_ros_argument(argv[indices[0]]);
  allocator.deallocate(indices, allocator.state);
  throw Error("unknown ROS arguments:" + list + " (after --ros-args; end them with --)" +
              (nearest.empty() ? "" : "; did you mean '" + nearest + "'?"));
}

}  // namespace

Context::Context()
    : context_(rcl_get_zero_initialized_context()),
      pre_shutdown_(std::make_shared<detail::PreShutdown>()),
      exchange_(std::make_unique<Exchange>()),
      clock_followers_(std::make_unique<detail::ClockFollowers>()) {}

Context::~Context() {
  shutdown();
  if (initialized_ && rcl_context_fini(&context_) != RCL_RET_OK) detail::take_rcl_error();
}

void Context::init(int argc, char const * const * argv, const InitOptions & options) {
  {
    const os::Lock lock(mutex_);
    if (initialized_) throw Error("takt is initialised already: call shutdown() first");
    if (options.pre_shutdown_limit < Duration::zero()) {
      throw Error(
          "pre_shutdown_limit is negative: give the longest time that a shutdown may wait, or 0");
    }
    pre_shutdown_limit_ = options.pre_shutdown_limit;
    rcl_init_options_t rcl_options = rcl_get_zero_initialized_init_options();
    detail::check(rcl_init_options_init(&rcl_options, rcl_get_default_allocator()),
                  "cannot create init options");
    const Cleanup<rcl_init_options_t> cleanup{rcl_options, rcl_init_options_fini};
    if (options.domain_id) {
      detail::check(rcl_init_options_set_domain_id(&rcl_options, *options.domain_id),
                    "cannot set the ROS domain");
    }
    const auto init = [&] {
      const os::CLocale parameters;  // numbers in parameters have a decimal point in any locale
      return rcl_init(argc, argv, &rcl_options, &context_);
    };
    detail::check(init(), "cannot initialise ROS");
    initialized_ = true;
    try {
      refuse_unknown_arguments(context_.global_arguments, argv);
      logging_ = detail::start_logging(context_.global_arguments, rcl_get_default_allocator());
    } catch (...) {
      shutdown_complete_ = true;
      if (rcl_shutdown(&context_) != RCL_RET_OK) detail::take_rcl_error();
      throw;
    }
    valid_.store(true, std::memory_order_release);
  }
  if (const std::string line = tasks::warn_once_of_untried(rmw_identifier()); !line.empty()) {
    TAKT_WARN(get_logger("takt"), "%s", line.c_str());
  }
  if (!options.handle_signals) return;
  const std::uint64_t signals = os::watch_end_signals([weak = weak_from_this()] {
    if (const auto context = weak.lock()) context->shutdown();
  });
  const os::Lock lock(mutex_);
  signals_ = signals;
}

bool Context::prepare_shutdown() {
  const bool in_job = current_job() != nullptr;
  const bool functions = !pre_shutdown_->empty();
  Duration limit{};
  {
    os::UniqueLock lock(mutex_);
    if (!initialized_ || shutdown_complete_) return true;
    if (ending_) {
      // A job that waited here would prevent jobs that receive responses, for which a function of
      // on_pre_shutdown() may be waiting.
      if (in_job || pre_shutdown_->is_calling_thread()) return false;
      shut_down_.wait(lock, [this]() TAKT_REQUIRES(mutex_) { return shutdown_complete_; });
      return true;
    }
    if (in_job && functions && (shutdown_thread_.joinable() || start_shutdown_thread()))
      return false;
    ending_ = true;
    limit = pre_shutdown_limit_;
  }
  tasks::wait_for_started([this] { return quiesce(); });
  if (!pre_shutdown_->call(limit)) {
    TAKT_ERROR(
        get_logger("takt"),
        "shutting down although a function of on_pre_shutdown() has not returned within %s s: "
        "limit the time for which it waits, or raise InitOptions::pre_shutdown_limit",
        tasks::decimal(std::chrono::duration<double>(limit).count()).c_str());
  }
  return true;
}

bool Context::start_shutdown_thread() {
  auto self = weak_from_this().lock();
  if (self == nullptr) return false;
  try {
    shutdown_thread_ =
        os::Thread({.name = "takt.shutdown"}, [self = std::move(self)] { self->shutdown(); });
    return true;
  } catch (const std::system_error &) {
    return false;  // no thread could be created
  }
}

bool Context::quiesce() {
  const os::Lock lock(runners_mutex_);
  quiescent_ = true;
  bool quiet = true;
  for (const auto & [handle, runner] : runners_) quiet &= runner();
  return quiet;
}

void Context::shutdown() {
  if (!prepare_shutdown()) return;
  std::map<std::uint64_t, std::function<void()>> functions;
  // From now on nothing can be published on /rosout, and rcl would report that for every line.
  flush_logging();
  detail::rosout_remove_all(context_);
  {
    const os::Lock lock(mutex_);
    if (initialized_ && !shutdown_complete_) {
      shutdown_complete_ = true;
      valid_.store(false, std::memory_order_release);
      functions = std::exchange(on_shutdown_, {});
      if (!functions.empty()) shutting_down_ = std::this_thread::get_id();
      if (rcl_shutdown(&context_) != RCL_RET_OK) detail::take_rcl_error();
      shut_down_.notify_all();
    }
  }
  if (!functions.empty()) {
    for (const auto & [handle, function] : functions) function();
    const os::Lock lock(mutex_);
    shutting_down_ = {};
    shut_down_.notify_all();
  }
  flush_logging();
  std::uint64_t signals = 0;
  os::Thread shutdown_thread;  // joined at the end of the function
  {
    const os::Lock lock(mutex_);
    signals = signals_;
    if (current_job() == nullptr && shutdown_thread_.tid() != os::thread_id()) {
      shutdown_thread = std::move(shutdown_thread_);
    }
  }
  if (signals != 0) os::unwatch_end_signals(signals);
}

std::uint64_t Context::on_pre_shutdown(std::function<void()> function) {
  return pre_shutdown_->add(std::move(function));
}

void Context::remove_on_pre_shutdown(std::uint64_t handle) {
  pre_shutdown_->remove(handle);
}

std::uint64_t Context::add_runner(std::function<bool()> quiesce) {
  const os::Lock lock(runners_mutex_);
  if (quiescent_) quiesce();
  runners_.emplace(next_runner_, std::move(quiesce));
  return next_runner_++;
}

void Context::remove_runner(std::uint64_t handle) {
  std::map<std::uint64_t, std::function<bool()>>::node_type gone;  // destroyed without the lock
  const os::Lock lock(runners_mutex_);
  gone = runners_.extract(handle);
}

void Context::log_late_send(const char * what, const char * name) noexcept {
  if (late_send_logged_.exchange(true)) return;
  TAKT_WARN(
      get_logger("takt"),
      "a %s of '%s' was not sent, because the context has been shut down (further ones are not "
      "reported): use Context::on_pre_shutdown() for what must be sent at the end",
      what, name);
}

bool Context::is_shut_down() const {
  const os::Lock lock(mutex_);
  return shutdown_complete_;
}

rcl_context_t * Context::rcl_context() {
  if (!initialized_) throw Error("takt is not initialised: call takt::init(argc, argv) first");
  return &context_;
}

std::size_t Context::domain_id() {
  std::size_t domain = 0;
  detail::check(rcl_context_get_domain_id(rcl_context(), &domain), "cannot get the ROS domain");
  return domain;
}

std::uint64_t Context::on_shutdown(std::function<void()> function) {
  {
    const os::Lock lock(mutex_);
    if (!shutdown_complete_) {
      on_shutdown_.emplace(next_handle_, std::move(function));
      return next_handle_++;
    }
  }
  function();
  return 0;
}

void Context::remove_on_shutdown(std::uint64_t handle) {
  os::UniqueLock lock(mutex_);
  on_shutdown_.erase(handle);
  shut_down_.wait(lock, [this]() TAKT_REQUIRES(mutex_) {
    return shutting_down_ == std::thread::id() || shutting_down_ == std::this_thread::get_id();
  });
}

namespace {

os::Mutex default_mutex{os::LockRank::default_context};
std::shared_ptr<Context> & default_slot() TAKT_REQUIRES(default_mutex) {
  static std::shared_ptr<Context> slot = std::make_shared<Context>();
  return slot;
}

}  // namespace

std::shared_ptr<Context> default_context() {
  const os::Lock lock(default_mutex);
  return default_slot();
}

void init(int argc, char const * const * argv, const InitOptions & options) {
  std::shared_ptr<Context> context;
  {
    const os::Lock lock(default_mutex);
    if (default_slot()->is_shut_down()) default_slot() = std::make_shared<Context>();
    context = default_slot();
  }
  context->init(argc, argv, options);
}

bool ok() noexcept {
  return default_context()->is_valid();
}

void shutdown() {
  default_context()->shutdown();
}

std::vector<std::string> remove_ros_arguments(int argc, char const * const * argv) {
  const rcl_allocator_t allocator = rcl_get_default_allocator();
  rcl_arguments_t parsed = rcl_get_zero_initialized_arguments();
  detail::check(rcl_parse_arguments(argc, argv, allocator, &parsed), "cannot parse ROS arguments");
  const Cleanup<rcl_arguments_t> cleanup{parsed, rcl_arguments_fini};
  int count = 0;
  const char ** rest = nullptr;
  detail::check(rcl_remove_ros_arguments(argv, &parsed, allocator, &count, &rest),
                "cannot remove ROS arguments");
  std::vector<std::string> result(rest, rest + count);
  if (rest != nullptr) allocator.deallocate(rest, allocator.state);
  return result;
}

const char * rmw_identifier() noexcept {
  return rmw_get_implementation_identifier();
}

}  // namespace takt
