// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <takt_core/model/types.hpp>
#include <takt_core/os/clock.hpp>
#include <takt_core/os/threads.hpp>

namespace takt::lab {

/// CPU time inside the callback of one task, also of a job that is running just now. begin() and
/// end() are called by whichever thread runs the job; used() by any other.
class CallbackMeter {
 public:
  /// `cpu`: the thread's CPU clock, which the caller reads anyway. Returns how far that clock has
  /// come since a callback of any task ended on this thread last: what the thread spent on getting
  /// from one to the other, in ns; -1 if none has ended on it.
  model::Duration begin(model::Time cpu) noexcept {
    thread_local const int tid = os::thread_id();
    tid_.store(tid, std::memory_order_relaxed);
    begin_.store(cpu, std::memory_order_release);
    return ended_ == none ? -1 : cpu - ended_;
  }

  void end(model::Time cpu) noexcept {
    const model::Time begin = begin_.load(std::memory_order_relaxed);
    begin_.store(none, std::memory_order_relaxed);
    total_.store(total_.load(std::memory_order_relaxed) + cpu - begin, std::memory_order_release);
    ended_ = cpu;
  }

  /// Since the task began. Exact while its thread stands still, as it does below a sampler of
  /// higher priority on the same CPU.
  model::Duration used() const noexcept {
    const model::Duration total = total_.load(std::memory_order_acquire);
    const model::Time begin = begin_.load(std::memory_order_acquire);
    if (begin == none) return total;
    const model::Time now = os::thread_cpu_of(tid_.load(std::memory_order_relaxed));
    return total + std::max<model::Duration>(now - begin, 0);
  }

 private:
  static constexpr model::Time none = -1;
  static inline constinit thread_local model::Time ended_ = none;  // on the thread's CPU clock
  std::atomic<int> tid_{0};
  std::atomic<model::Time> begin_{none};
  std::atomic<model::Duration> total_{0};
};

}  // namespace takt::lab
