// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>

#include "dispatcher.hpp"
#include "takt_core/os/event.hpp"

namespace takt::executor {

/// Keeps the time of a processor that preempts, on a thread above its workers, where none of them
/// does.
class Timer {
 public:
  /// The thread's body, until quit().
  void run(Dispatcher & dispatcher) {
    while (!quit_.load(std::memory_order_acquire)) {
      event_.wait_until(dispatcher.keep_time(nullptr).until);
    }
    quit_.store(false, std::memory_order_relaxed);
  }
  /// Before its thread is made: forgets a quit() that no thread has seen.
  void begin() noexcept { quit_.store(false, std::memory_order_relaxed); }
  void quit() noexcept {
    quit_.store(true, std::memory_order_release);
    event_.post();
  }
  /// Wakes it because there is something to do earlier than it was told.
  os::Event & event() noexcept { return event_; }

 private:
  std::atomic<bool> quit_{false};
  os::Event event_;
};

}  // namespace takt::executor
