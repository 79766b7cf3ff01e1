// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>

#include "dispatcher.hpp"
#include "takt_core/os/event.hpp"

namespace takt::executor {

/// The timer thread of a preemptive processor: keeps the time above the workers, unless a worker
/// does.
class Timer {
 public:
  /// The thread's body; returns after quit().
  void run(Dispatcher & dispatcher) {
    while (!quit_.load(std::memory_order_acquire)) {
      event_.wait_until(dispatcher.keep_time(nullptr).until);
    }
    quit_.store(false, std::memory_order_relaxed);
  }
  /// To be called before the thread is created: forgets an earlier quit().
  void begin() noexcept { quit_.store(false, std::memory_order_relaxed); }
  void quit() noexcept {
    quit_.store(true, std::memory_order_release);
    event_.post();
  }
  /// Wakes the thread when there is something to do earlier than it expects.
  os::Event & event() noexcept { return event_; }

 private:
  std::atomic<bool> quit_{false};
  os::Event event_;
};

}  // namespace takt::executor
