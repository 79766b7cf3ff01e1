// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "log.hpp"
#include "middleware_waits.hpp"
#include "takt_core/os/clock.hpp"
#include "takt_core/os/event.hpp"
#include "takt_core/os/thread.hpp"
#include "worker_pool.hpp"

namespace takt::executor {

/// A thread of ordinary priority that looks after the others once in an interval: finds callbacks that
/// block or do not return, gives middleware threads that appear later their priority, and does what
/// real-time threads must not: writes warnings, destroys what removed tasks left. Its thread waits
/// from one spin to the next.
class Watchdog {
 public:
  struct Looks {
    std::function<void()> threads;  ///< some may have appeared
    std::function<void()> cpu;      ///< each time
  };

  Watchdog(WorkerPool & pool, Dispatcher & dispatcher, MiddlewareWaits & waits, Log & log,
           const Options & options, Looks looks);
  ~Watchdog();
  Watchdog(const Watchdog &) = delete;
  Watchdog & operator=(const Watchdog &) = delete;

  /// Throws std::system_error.
  void start(int priority);
  /// It has looked for the last time when this returns. Nothing if it was not started.
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

  /// How many jobs a worker had begun, and when that was first seen.
  struct Seen {
    std::uint64_t begun = 0;
    os::Time at = 0;
    os::Time runnable = 0;  // of its thread, by then
  };

  enum class State : std::uint8_t { waits, watches, ends };

  /// Its thread.
  void end() noexcept;
  void run();
  void watch();
  /// Until the next look. True if the process was stopped meanwhile (SIGSTOP, a debugger, a frozen
  /// container).
  bool wait() noexcept;
  void look_at_workers(bool was_stopped);
  void look_at_threads();
  void look_at_waits();
  void clean_up();
  struct Found {
    TaskId task;
    Finding finding;
    Dispatcher::Kept kept = {};  ///< by it
  };
  void tell(const Found & found);

  WorkerPool & pool_;
  Dispatcher & dispatcher_;
  MiddlewareWaits & waits_;
  Log & log_;
  const os::Time interval_;
  const std::function<Awaited(TaskId)> awaited_;
  const Looks told_to_look_;

  std::vector<Worker *> workers_;          // kept for its room
  std::vector<Seen> seen_;                 // by worker's number - 1
  std::map<std::string, unsigned> found_;  // how often a callback was found to block, by name
  std::set<std::pair<Finding, std::string>> told_;  // what is said once, of which callback
  std::set<std::pair<MiddlewareWaits::Kind, std::string>> told_waits_;  // of whom and which entity
  std::size_t threads_ = 0;
  std::uint64_t thread_set_ = 0;
  bool newcomers_ = false;
  unsigned looks_ = 0;
  std::atomic<std::uint64_t> blocked_{0};
  std::atomic<std::uint64_t> unreturned_{0};
  std::atomic<State> state_{State::waits};
  std::atomic<bool> quit_{false};
  os::Event event_;
  os::Event ended_;
  os::Thread thread_;
};

}  // namespace takt::executor
