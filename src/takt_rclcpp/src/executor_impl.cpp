// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "executor_impl.hpp"

#include <exception>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include <rclcpp/utilities.hpp>

#include "takt_core/model/task_check.hpp"
#include "takt_core/os/clock.hpp"
#include "takt_core/os/thread.hpp"
#include "takt_core/tasks/error.hpp"
#include "takt_view/live_view.hpp"
#include "view_server.hpp"

namespace takt::rclcpp {

namespace {

std::chrono::nanoseconds checked_limit(std::chrono::nanoseconds limit) {
  if (limit > std::chrono::nanoseconds::zero()) return limit;
  throw Error("pre_shutdown_limit must be above 0: the longest time of all pre-shutdown callbacks");
}

}  // namespace

SchedulingExecutor::Impl::Impl(SchedulingExecutor & executor, const SchedulingOptions & options)
    : executor_(executor),
      diagnostics_(options.diagnostics),
      pre_shutdown_limit_(checked_limit(options.pre_shutdown_limit)),
      pre_shutdown_(PreShutdown::of(*executor.context_)),
      notifier_(std::make_shared<Notifier>(executor.context_)),
      entities_(executor.registry_, notifier_),
      waiter_(executor.context_, entities_,
              [this](const std::string & line) { executor_.registry_->log(line); }) {
  executor_.notify_waitable_->set_on_ready_callback([notifier = notifier_](std::size_t, int) {
    notifier->changed.store(true);
    notifier->look_again();
  });
  pre_shutdown_->add(*this);
}

SchedulingExecutor::Impl::~Impl() {
  pre_shutdown_->remove(*this);
  executor_.notify_waitable_->clear_on_ready_callback();
  entities_.clear();
}

// ---- nodes and entities -------------------------------------------------------------------------

void SchedulingExecutor::Impl::refresh() {
  const os::Lock lock(changing_);
  refresh_locked();
}

void SchedulingExecutor::Impl::refresh_locked() {
  executor_.entities_need_rebuild_.store(false);
  entities_.refresh([this] {
    executor_.collector_.update_collections();
    return nodes_.in_order(executor_.collector_.get_all_callback_groups());
  });
}

void SchedulingExecutor::Impl::end_departed() {
  // While the executor schedules, rclcpp's own wait set is not updated and contains old entities.
  const bool spins = state_->if_spinning([this] {
    const std::lock_guard lock(executor_.mutex_);
    executor_.collect_entities();
  });
  if (!spins) executor_.collector_.update_collections();
  const bool any = entities_.end_departed();
  // At once if the executor does not spin: a caller that removes a node may unload the library of its
  // entities next, as a component container does when it ends.
  const bool looked =
      any && state_->look(executor_.spinning, [this] { attempt([this] { refresh(); }); });
  if (!looked) look_again();
}

void SchedulingExecutor::Impl::update_tasks() {
  const bool looked = state_->look(executor_.spinning, [this] { refresh(); });
  // The destruction of a subscription is not announced.
  if (!looked) look_again();
}

void SchedulingExecutor::Impl::collect() {
  if (notifier_->changed.exchange(false)) executor_.entities_need_rebuild_.store(true);
}

void SchedulingExecutor::Impl::post_change(std::function<void()> change) {
  {
    const os::Lock lock(mutex_);
    changes_.push_back(std::move(change));
  }
  look_again();
}

namespace {

/// Calls the function. Returns the text of its exception; "" if it throws none.
template <typename FunctionT>
std::string failure_of(const FunctionT & function) noexcept {
  try {
    function();
    return "";
  } catch (const std::exception & error) {
    return error.what();
  } catch (...) {
    return "a change of nodes failed: an exception of a type unknown here";
  }
}

}  // namespace

/// Calls the function and logs its exception, if any.
template <typename FunctionT>
void SchedulingExecutor::Impl::attempt(const FunctionT & function) noexcept {
  const std::string failure = failure_of(function);
  if (!failure.empty()) executor_.registry_->log(failure);
}

void SchedulingExecutor::Impl::keep_nodes() noexcept {
  // The period of polling while entities are held back until a job has ended, which is not announced.
  constexpr os::Time look_every = 10'000'000;
  const auto wait = [this] {
    if (!entities_.has_postponed()) return notifier_->nodes.wait();
    notifier_->nodes.wait_until(os::now() + look_every);
  };
  std::string said;
  for (wait(); !ending_.load(); wait()) {
    if (!::rclcpp::ok(executor_.context_)) executor_.registry_->processors().stop();
    // Refused entities are tried each time, but an unchanged failure is logged once.
    const std::string failure = failure_of([this] { refresh(); });
    if (!failure.empty() && failure != said) executor_.registry_->log(failure);
    said = failure;
    attempt([this] { waiter_.start(); });
    make_changes();
  }
}

bool SchedulingExecutor::Impl::refresh_while_spinning() noexcept {
  const os::Lock changing(changing_);
  if (!state_->if_spinning([] {})) return false;
  // Without analysis, because the function is called immediately, with the lock held.
  failure_of([this]() TAKT_NO_THREAD_SAFETY_ANALYSIS { refresh_locked(); });
  return true;
}

std::vector<std::string> SchedulingExecutor::Impl::finish_removals(
    const NodeView::Base::SharedPtr & node, os::Time instant) {
  if (!refresh_while_spinning()) {
    state_->look(executor_.spinning, [this] { attempt([this] { refresh(); }); });
  }
  return entities_.departing().finish(node, instant);
}

void SchedulingExecutor::Impl::make_changes() noexcept {
  std::vector<std::function<void()>> changes;
  {
    const os::Lock lock(mutex_);
    changes.swap(changes_);
  }
  for (const auto & change : changes) attempt(change);
}

// ---- timing -------------------------------------------------------------------------------------

void SchedulingExecutor::Impl::set_strategy(const SchedulingStrategy::SharedPtr & strategy,
                                            const std::function<void()> & apply) {
  const os::Lock lock(strategies_);
  // Update the tasks first, so that the strategy is checked against the current ones.
  if (!refresh_while_spinning()) update_tasks();
  const auto read = [this](const SchedulingStrategy::SharedPtr & of) {
    const os::Lock changing(changing_);
    entities_.set_strategy(of);
  };
  try {
    read(strategy);
    apply();
  } catch (...) {
    attempt([&, old = strategy_] { read(old); });
    throw;
  }
  strategy_ = strategy;
  look_again();  // nodes that were refused may fit the new strategy
}

void SchedulingExecutor::Impl::set_task(const std::shared_ptr<const void> & entity,
                                        const model::Task & task, const TaskOptions & options) {
  try {
    model::check_task(task);
  } catch (const std::invalid_argument & error) {
    throw Error(error.what());
  }
  entities_.options().set(entity, options);
  look_again();
}

// ---- spinning -----------------------------------------------------------------------------------

/// Sets up what exists while the executor spins; the destructor undoes it in the opposite order.
class SchedulingExecutor::Impl::Spin {
 public:
  explicit Spin(Impl & impl) : impl_(impl) {
    impl_.executor_.registry_->begin_spin();
    impl_.ending_.store(false);
    try {
      nodes_ = os::Thread({.name = "takt.nodes"}, [&impl] { impl.keep_nodes(); });
    } catch (...) {
      impl_.executor_.registry_->end_spin();
      throw;
    }
    impl_.notifier_->set_waiter(&impl_.waiter_);
  }
  ~Spin() {
    impl_.ending_.store(true);
    impl_.notifier_->look_again();
    nodes_.join();
    impl_.make_changes();  // requested by the last callbacks
    impl_.notifier_->set_waiter(nullptr);
    impl_.waiter_.stop();
    {
      const os::Lock lock(impl_.changing_);
      impl_.entities_.listen(false);
      impl_.executor_.registry_->end_spin();
      impl_.state_->begin_to_end();
      // A caller that has removed a node may unload the library of its entities next, so they must be
      // removed now. A caller that removes a node from now on does this itself.
      if (impl_.entities_.end_departed()) {
        // Without analysis, because the function is called immediately, with the lock held.
        failure_of([this]() TAKT_NO_THREAD_SAFETY_ANALYSIS { impl_.refresh_locked(); });
      }
      impl_.entities_.departing().forget_returned();
      // rclcpp's own ways to spin must collect their entities again.
      impl_.executor_.entities_need_rebuild_.store(true);
    }
  }
  Spin(const Spin &) = delete;
  Spin & operator=(const Spin &) = delete;

 private:
  Impl & impl_;
  os::Thread nodes_;
};

void SchedulingExecutor::Impl::spin() {
  const auto state = state_;  // the executor may be destroyed as soon as the state is idle
  if (!state->begin(executor_.spinning)) {
    throw std::runtime_error("spin() called while already spinning");
  }
  struct End {
    SpinState & state;
    SchedulingExecutor & executor;
    ~End() {
      state.end([&executor = executor] {
        executor.registry_->processors().forget_stop();
        executor.spinning.store(false);
      });
    }
  } const end{*state, executor_};
  refresh();
  executor_.registry_->check_plans();
  const Spin spin(*this);
  // Read and set under the lock, because the pre-shutdown callbacks may begin at any time.
  state_->if_spinning(
      [this] { executor_.registry_->processors().set_quiescent(pre_shutdown_->called()); });
  if (!::rclcpp::ok(executor_.context_)) return;
  std::optional<view::LiveView> live;
  if (diagnostics_.enabled) {
    const auto context = executor_.context_;
    live.emplace(
        executor_.registry_, diagnostics_,
        [context](view::View & view) { return make_view_server(context, view); },
        [context] { return ::rclcpp::ok(context); });
  }
  executor_.registry_->processors().spin([this] {
    // Notifications begin when all threads exist, and timers do not make up for the time before.
    executor_.registry_->resume_grids();
    entities_.listen(true);
    waiter_.start();
  });
}

bool SchedulingExecutor::Impl::quiesce() noexcept {
  bool idle = true;
  state_->if_spinning([&] {
    executor_.registry_->processors().set_quiescent(true);
    idle = executor_.registry_->processors().idle();
  });
  return idle;
}

void SchedulingExecutor::Impl::give_up(const std::string & why) noexcept {
  if (!state_->if_spinning([] {})) return;
  executor_.registry_->log(why);  // before other threads can see that spin() has ended
  state_->if_spinning([this] { executor_.registry_->processors().stop(); });
}

bool SchedulingExecutor::Impl::cancel() {
  return state_->if_spinning([this] { executor_.registry_->processors().stop(); }) ||
         state_->busy();
}

void SchedulingExecutor::Impl::end() {
  cancel();
  state_->wait_until_idle();
}

}  // namespace takt::rclcpp
