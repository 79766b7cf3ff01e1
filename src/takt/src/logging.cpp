// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt/logging.hpp"

#include <rcl/logging.h>
#include <rcl/logging_rosout.h>
#include <rcutils/time.h>

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "log_folder.hpp"
#include "log_ring.hpp"
#include "logging_system.hpp"
#include "takt/exceptions.hpp"
#include "takt/job.hpp"
#include "takt_core/os/event.hpp"
#include "takt_core/os/lock.hpp"
#include "takt_core/os/pi_mutex.hpp"
#include "takt_core/os/thread.hpp"

namespace takt::detail {
namespace {

static_assert(log_text_capacity + 1 == std::tuple_size_v<decltype(LogRecord::text)>);

/// The logging of the process: the ring of deferred messages and the thread that writes them. A singleton
/// that outlives everything that may log.
class LoggingSystem {
 public:
  static LoggingSystem & instance() {
    // Never destroyed, because destructors of static objects may log.
    static auto * const system = new LoggingSystem;
    return *system;
  }

  void acquire(const rcl_arguments_t & arguments, const rcl_allocator_t & allocator);
  void release() noexcept;
  void deliver(const rcutils_log_location_t * location, int severity, const char * name,
               std::int64_t timestamp, const char * format, va_list * arguments) noexcept;
  void flush() noexcept;
  LoggingStatistics statistics() const noexcept;

  /// Excludes the writing of messages. Messages that the holding thread itself logs meanwhile, from inside
  /// rcl or the middleware, are deferred.
  class TAKT_SCOPED_CAPABILITY Exclusive {
   public:
    explicit Exclusive(LoggingSystem & system) TAKT_ACQUIRE(system.writing_) : system_(system) {
      system.writing_.lock();
      holds_ = true;
    }
    ~Exclusive() TAKT_RELEASE() {
      holds_ = false;
      system_.writing_.unlock();
    }
    Exclusive(const Exclusive &) = delete;
    Exclusive & operator=(const Exclusive &) = delete;
    static bool held() noexcept { return holds_; }

   private:
    LoggingSystem & system_;
    static thread_local bool holds_;
  };

 private:
  void run() noexcept;
  void drain() noexcept TAKT_REQUIRES(writing_);
  void defer(const rcutils_log_location_t * location, int severity, const char * name,
             std::int64_t timestamp, const char * format, va_list * arguments) noexcept;
  void write(const rcutils_log_location_t * location, int severity, const char * name,
             std::int64_t timestamp, const char * format, va_list * arguments) noexcept
      TAKT_REQUIRES(writing_);
  void write_line(const rcutils_log_location_t * location, int severity, const char * name,
                  std::int64_t timestamp, const char * format, ...) noexcept
      __attribute__((format(printf, 6, 7))) TAKT_REQUIRES(writing_);

  LogRing<LogRecord> ring_{log_ring_capacity};
  std::atomic<std::uint64_t> truncated_{0};
  os::Event posted_;
  std::atomic<bool> ending_{false};

  os::Mutex users_mutex_{os::LockRank::logging_users};
  std::size_t users_ TAKT_GUARDED_BY(users_mutex_) = 0;
  os::Thread thread_ TAKT_GUARDED_BY(users_mutex_);

  os::Mutex writing_{os::LockRank::logging_writing};
  bool configured_ TAKT_GUARDED_BY(writing_) = false;
  bool said_no_file_ TAKT_GUARDED_BY(writing_) = false;
  std::uint64_t reported_drops_ TAKT_GUARDED_BY(writing_) = 0;
};

thread_local bool LoggingSystem::Exclusive::holds_ = false;

os::PiMutex levels_mutex{os::LockRank::logging_levels};  // guards rcutils's table of levels
std::atomic<std::uint64_t> levels_generation{1};

std::int64_t system_now() noexcept {
  rcutils_time_point_value_t now = 0;
  return rcutils_system_time_now(&now) == RCUTILS_RET_OK ? now : 0;
}

void output_handler(const rcutils_log_location_t * location, int severity, const char * name,
                    rcutils_time_point_value_t timestamp, const char * format,
                    va_list * arguments) {
  LoggingSystem::instance().deliver(location, severity, name, timestamp, format, arguments);
}

/// Configures rcl's logging. Returns why there is no log file; "" if there is one, or none is wanted.
std::string configure(const rcl_arguments_t & arguments, const rcl_allocator_t & allocator) {
  std::string fault;
  try {
    const rcl_ret_t result =
        rcl_logging_configure_with_output_handler(&arguments, &allocator, output_handler);
    if (result == RCL_RET_OK) return fault;
    const std::string reason = take_rcl_error();
    fault = log_folder_fault();
    // Otherwise the failure concerns what the arguments request, which is an error.
    if (fault.empty()) throw Error("cannot configure logging: " + reason);
  } catch (const Error &) {
    throw;
  } catch (const std::exception & error) {
    fault = error.what();  // thrown by the library that writes the file
  }
  // When the log file fails, everything else has been configured already.
  rcutils_logging_set_output_handler(output_handler);
  return fault;
}

void LoggingSystem::acquire(const rcl_arguments_t & arguments, const rcl_allocator_t & allocator) {
  const os::Lock users(users_mutex_);
  if (users_ == 0) {
    {
      const Exclusive exclusive(*this);
      const os::Lock levels(levels_mutex);
      const std::string no_file = configure(arguments, allocator);
      configured_ = true;
      if (!no_file.empty() && !std::exchange(said_no_file_, true)) {
        static const rcutils_log_location_t here{__func__, __FILE__, __LINE__};
        write_line(&here, RCUTILS_LOG_SEVERITY_WARN, "takt", system_now(),
                   "no log file is written, only standard error and /rosout: %s. Set ROS_LOG_DIR "
                   "to a writable folder",
                   no_file.c_str());
      }
    }
    levels_generation.fetch_add(1);
    ending_ = false;
    thread_ = os::Thread({.name = "takt.log"}, [this] { run(); });
  }
  ++users_;
}

void LoggingSystem::release() noexcept {
  const os::Lock users(users_mutex_);
  if (--users_ != 0) return;
  ending_ = true;
  posted_.post();
  thread_.join();
  const Exclusive exclusive(*this);
  drain();
  configured_ = false;
  if (rcl_logging_fini() != RCL_RET_OK) take_rcl_error();
}

void LoggingSystem::run() noexcept {
  while (!ending_) {
    posted_.wait();
    flush();
  }
}

void LoggingSystem::deliver(const rcutils_log_location_t * location, int severity,
                            const char * name, std::int64_t timestamp, const char * format,
                            va_list * arguments) noexcept {
  if (current_job() != nullptr || Exclusive::held()) {
    defer(location, severity, name, timestamp, format, arguments);
    return;
  }
  const Exclusive exclusive(*this);
  drain();
  write(location, severity, name, timestamp, format, arguments);
}

void LoggingSystem::defer(const rcutils_log_location_t * location, int severity, const char * name,
                          std::int64_t timestamp, const char * format,
                          va_list * arguments) noexcept {
  const bool pushed = ring_.push([&](LogRecord & record) {
    record.timestamp = timestamp;
    record.severity = severity;
    record.line = location != nullptr ? location->line_number : 0;
    copy_text(record.function, location != nullptr ? location->function_name : "");
    std::string_view file = location != nullptr ? location->file_name : "";
    // Of a long path, the end is kept: it is more informative than the beginning.
    if (file.size() >= record.file.size()) file.remove_prefix(file.size() - record.file.size() + 1);
    copy_text(record.file, file);
    copy_text(record.logger, name != nullptr ? name : "");
    const int n = std::vsnprintf(record.text.data(), record.text.size(), format, *arguments);
    if (n < 0) {
      copy_text(record.text, format);
    } else if (static_cast<std::size_t>(n) >= record.text.size()) {
      std::memcpy(record.text.data() + record.text.size() - 4, "...", 4);
      truncated_.fetch_add(1, std::memory_order_relaxed);
    }
  });
  if (pushed) posted_.post();
}

void LoggingSystem::drain() noexcept {
  // Without analysis, because the function is called immediately, with the lock held.
  while (ring_.pop([this](const LogRecord & record) TAKT_NO_THREAD_SAFETY_ANALYSIS {
    const rcutils_log_location_t location{record.function.data(), record.file.data(), record.line};
    write_line(&location, record.severity, record.logger.data(), record.timestamp, "%s",
               record.text.data());
  })) {
  }
  const std::uint64_t dropped = ring_.dropped();
  if (dropped == reported_drops_) return;
  const unsigned long long more = dropped - reported_drops_;
  reported_drops_ = dropped;
  static const rcutils_log_location_t here{__func__, __FILE__, __LINE__};
  write_line(&here, RCUTILS_LOG_SEVERITY_WARN, "takt.log", system_now(),
             "%llu messages logged by callbacks were dropped: the ring of %zu messages was full; "
             "log less, or outside of callbacks",
             more, log_ring_capacity);
}

void LoggingSystem::write(const rcutils_log_location_t * location, int severity, const char * name,
                          std::int64_t timestamp, const char * format,
                          va_list * arguments) noexcept {
  const auto handler =
      configured_ ? rcl_logging_multiple_output_handler : rcutils_logging_console_output_handler;
  handler(location, severity, name, timestamp, format, arguments);
}

void LoggingSystem::write_line(const rcutils_log_location_t * location, int severity,
                               const char * name, std::int64_t timestamp, const char * format,
                               ...) noexcept {
  va_list arguments;
  va_start(arguments, format);
  write(location, severity, name, timestamp, format, &arguments);
  va_end(arguments);
}

void LoggingSystem::flush() noexcept {
  const Exclusive exclusive(*this);
  drain();
}

LoggingStatistics LoggingSystem::statistics() const noexcept {
  return {.deferred = ring_.pushed(),
          .dropped = ring_.dropped(),
          .truncated = truncated_.load(std::memory_order_relaxed)};
}

}  // namespace

std::shared_ptr<void> start_logging(const rcl_arguments_t & arguments,
                                    const rcl_allocator_t & allocator) {
  auto & system = LoggingSystem::instance();
  system.acquire(arguments, allocator);
  return {&system, [](void *) { LoggingSystem::instance().release(); }};
}

// The nodes that own a publisher of /rosout. Nodes of the same name share that of the first, because rcl
// keeps one per logger name. It must be finalised with the node for which it was created, or rcl loses
// track of it. Accessed only under Exclusive.
static std::set<const rcl_node_t *> & rosout_owners() {
  static auto * const owners = new std::set<const rcl_node_t *>;  // never destroyed either
  return *owners;
}

void rosout_add(rcl_node_t & node) {
  if (!rcl_logging_rosout_enabled() || !rcl_node_get_options(&node)->enable_rosout) return;
  const LoggingSystem::Exclusive exclusive(LoggingSystem::instance());
  auto & owners = rosout_owners();
  const std::string_view name = rcl_node_get_logger_name(&node);
  if (std::any_of(owners.begin(), owners.end(), [name](const rcl_node_t * other) {
        return name == rcl_node_get_logger_name(other);
      })) {
    return;
  }
  check(rcl_logging_rosout_init_publisher_for_node(&node), "cannot create the /rosout publisher");
  owners.insert(&node);
}

void rosout_remove(rcl_node_t & node) noexcept {
  const LoggingSystem::Exclusive exclusive(LoggingSystem::instance());
  if (rosout_owners().erase(&node) == 0) return;
  // A failure is not an error: logging may have ended before the node.
  if (rcl_logging_rosout_fini_publisher_for_node(&node) != RCL_RET_OK) take_rcl_error();
}

void rosout_remove_all(const rcl_context_t & context) noexcept {
  const LoggingSystem::Exclusive exclusive(LoggingSystem::instance());
  for (auto owner = rosout_owners().begin(); owner != rosout_owners().end();) {
    const rcl_node_t * node = *owner;
    if (node->context != &context) {
      ++owner;
      continue;
    }
    owner = rosout_owners().erase(owner);
    if (rcl_logging_rosout_fini_publisher_for_node(const_cast<rcl_node_t *>(node)) != RCL_RET_OK) {
      take_rcl_error();
    }
  }
}

std::shared_ptr<void> rosout_add_child(const std::string & parent, const std::string & child) {
  const LoggingSystem::Exclusive exclusive(LoggingSystem::instance());
  if (rcl_logging_rosout_add_sublogger(parent.c_str(), child.c_str()) != RCL_RET_OK) {
    take_rcl_error();
    return nullptr;
  }
  return {static_cast<void *>(&LoggingSystem::instance()), [parent, child](void *) {
            const LoggingSystem::Exclusive again(LoggingSystem::instance());
            if (rcl_logging_rosout_remove_sublogger(parent.c_str(), child.c_str()) != RCL_RET_OK) {
              take_rcl_error();
            }
          }};
}

std::uint64_t level_generation() noexcept {
  return levels_generation.load(std::memory_order_acquire);
}

void set_level(const std::string & logger, int severity) {
  {
    const os::Lock levels(levels_mutex);
    RCUTILS_LOGGING_AUTOINIT;
    check(rcutils_logging_set_logger_level(logger.c_str(), severity),
          "cannot set the level of logger '" + logger + "'");
  }
  levels_generation.fetch_add(1, std::memory_order_release);
}

int effective_level(const std::string & logger) noexcept {
  const os::Lock levels(levels_mutex);
  RCUTILS_LOGGING_AUTOINIT;
  const int level = rcutils_logging_get_logger_effective_level(logger.c_str());
  return level < 0 ? RCUTILS_LOG_SEVERITY_INFO : level;
}

void log(const rcutils_log_location_t & location, Severity severity, const Logger & logger,
         const char * format, ...) noexcept {
  va_list arguments;
  va_start(arguments, format);
  // Through rcutils's current handler, so that a process that has installed its own receives everything.
  RCUTILS_LOGGING_AUTOINIT;
  rcutils_logging_get_output_handler()(&location, static_cast<int>(severity),
                                       logger.get_name().c_str(), system_now(), format, &arguments);
  va_end(arguments);
}

bool log_due(std::atomic<std::int64_t> & last_ns, std::int64_t now_ns,
             std::int64_t milliseconds) noexcept {
  std::int64_t last = last_ns.load(std::memory_order_relaxed);
  const bool wait =
      last != INT64_MIN && now_ns >= last && now_ns - last < milliseconds * std::int64_t{1'000'000};
  return !wait && last_ns.compare_exchange_strong(last, now_ns, std::memory_order_relaxed);
}

}  // namespace takt::detail

namespace takt {

LoggingStatistics logging_statistics() noexcept {
  return detail::LoggingSystem::instance().statistics();
}

void flush_logging() {
  detail::LoggingSystem::instance().flush();
}

}  // namespace takt
