// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <takt_core/model/types.hpp>
#include <takt_core/os/clock.hpp>
#include <takt_core/os/threads.hpp>

namespace takt::lab {

/// Measures the CPU time inside the callback of one task, including that of a job that is running. begin()
/// and end() are called on the thread that runs the job, used() on any other thread.
class CallbackMeter {
 public:
  /// `cpu` is the current value of the thread's CPU clock. Returns the CPU time of the thread since a
  /// callback of any task last ended on it, that is, what the thread spent between the two callbacks, in
  /// ns; -1 if none has ended on it.
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

  /// Returns the total CPU time in ns. Exact if the job's thread does not run during the call, as is the
  /// case if the caller has a higher priority on the same CPU.
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
