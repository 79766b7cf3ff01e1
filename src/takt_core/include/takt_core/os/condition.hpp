// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

#include "takt_core/os/lock.hpp"

namespace takt::os {

/// What threads wait for under a Mutex, any number of them. `is_so` is called under it, and says so
/// by TAKT_REQUIRES; it must not throw. For ordinary threads: who wakes them inherits nothing.
class Condition {
 public:
  /// Blocks until it is so.
  template <typename PredicateT>
  void wait(UniqueLock & lock, const PredicateT & is_so) {
    Native native(lock);
    condition_.wait(native.lock, is_so);
  }
  /// The same, until an instant at the latest. Whether it is so.
  template <typename ClockT, typename DurationT, typename PredicateT>
  bool wait_until(UniqueLock & lock, const std::chrono::time_point<ClockT, DurationT> & instant,
                  const PredicateT & is_so) {
    Native native(lock);
    return condition_.wait_until(native.lock, instant, is_so);
  }
  /// The same, for so long at most.
  template <typename RepT, typename PeriodT, typename PredicateT>
  bool wait_for(UniqueLock & lock, const std::chrono::duration<RepT, PeriodT> & length,
                const PredicateT & is_so) {
    Native native(lock);
    return condition_.wait_for(native.lock, length, is_so);
  }
  /// Any thread.
  void notify_all() noexcept { condition_.notify_all(); }

 private:
  // The mutex below, as the library wants it. A thread that waits holds its place in the order.
  struct Native {
    explicit Native(UniqueLock & of) : lock(of.mutex_.mutex_, std::adopt_lock) {}
    ~Native() { lock.release(); }
    Native(const Native &) = delete;
    Native & operator=(const Native &) = delete;
    std::unique_lock<std::mutex> lock;
  };

  std::condition_variable condition_;
};

}  // namespace takt::os
