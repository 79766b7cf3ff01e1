// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "log.hpp"
#include "middleware_waits.hpp"
#include "takt_core/os/clock.hpp"
#include "takt_core/os/event.hpp"
#include "takt_core/os/thread.hpp"
#include "worker_pool.hpp"

namespace takt::executor {

/// A thread of ordinary priority that checks the others periodically: it finds callbacks that block
/// or do not return, sets the priorities of middleware threads that appear later, and does what
/// real-time threads must not do: writes warnings, destroys what removed tasks leave. The thread
/// exists from one spin to the next.
class Watchdog {
 public:
  /// Functions that the watchdog calls.
  struct Checks {
    std::function<void()> threads;  ///< when threads may have appeared
    std::function<void()> cpu;      ///< at every check
  };

  Watchdog(WorkerPool & pool, Dispatcher & dispatcher, MiddlewareWaits & waits, Log & log,
           const Options & options, Checks checks);
  ~Watchdog();
  Watchdog(const Watchdog &) = delete;
  Watchdog & operator=(const Watchdog &) = delete;

  /// Starts watching at this priority. Throws std::system_error if the thread cannot be created.
  void start(int priority);
  /// Stops watching; on return the last check has ended. No effect if not started.
  void stop() noexcept;

  std::uint64_t blocked() const noexcept { return blocked_.load(std::memory_order_relaxed); }
  std::uint64_t unreturned() const noexcept { return unreturned_.load(std::memory_order_relaxed); }

 private:
  enum class Finding : std::uint8_t {
    may_block,
    blocks,
    does_not_return,
    delays_removal,
    delays_end
  };

  /// How many jobs a worker had begun, and when that number was first seen.
  struct Progress {
    std::uint64_t begun = 0;
    os::Time at = 0;
    os::Time runnable = 0;  // the thread's runnable time by then
  };

  enum class State : std::uint8_t { waits, watches, ends };

  // ---- its thread
  void end() noexcept;
  void run();
  void watch();
  /// Waits until the next check. True if the process was stopped meanwhile (SIGSTOP, a debugger, a
  /// frozen container).
  bool wait() noexcept;
  void look_at_workers(bool was_stopped);
  void look_at_threads();
  void look_at_waits();
  void clean_up();
  struct Found {
    TaskId task;
    Finding finding;
    Dispatcher::DelayedStart delayed = {};  ///< what the finding's job keeps from starting
  };
  void tell(const Found & found);

  WorkerPool & pool_;
  Dispatcher & dispatcher_;
  MiddlewareWaits & waits_;
  Log & log_;
  const os::Time interval_;
  const std::function<Awaited(TaskId)> awaited_;
  const Checks extra_checks_;

  std::vector<Worker *> workers_;          // a member to reuse its memory
  std::vector<Progress> progress_;         // indexed by worker number - 1
  std::map<std::string, unsigned> found_;  // how often a callback was found blocked, by name
  std::set<std::pair<Finding, std::string>> logged_findings_;  // with the callback
  // The kind, the task, the other task and the entity.
  std::set<std::tuple<MiddlewareWaits::Kind, std::string, std::string, std::string>> logged_waits_;
  std::size_t threads_ = 0;
  std::uint64_t thread_set_ = 0;
  bool threads_changed_ = false;
  unsigned check_count_ = 0;
  std::atomic<std::uint64_t> blocked_{0};
  std::atomic<std::uint64_t> unreturned_{0};
  std::atomic<State> state_{State::waits};
  std::atomic<bool> quit_{false};
  os::Event event_;
  os::Event ended_;
  os::Thread thread_;
};

}  // namespace takt::executor
