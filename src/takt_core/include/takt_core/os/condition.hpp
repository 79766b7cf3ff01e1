// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

#include "takt_core/os/lock.hpp"

namespace takt::os {

/// A condition variable for use with Mutex, for any number of waiting threads. The predicate is
/// called with the mutex held, which its TAKT_REQUIRES declares, and must not throw. For threads of
/// ordinary priority: a thread that is to notify inherits no priority.
class Condition {
 public:
  /// Blocks until the predicate is true.
  template <typename PredicateT>
  void wait(UniqueLock & lock, const PredicateT & is_so) {
    Native native(lock);
    condition_.wait(native.lock, is_so);
  }
  /// Blocks until the predicate is true or an instant is reached. Returns the predicate's value.
  template <typename ClockT, typename DurationT, typename PredicateT>
  bool wait_until(UniqueLock & lock, const std::chrono::time_point<ClockT, DurationT> & instant,
                  const PredicateT & is_so) {
    Native native(lock);
    return condition_.wait_until(native.lock, instant, is_so);
  }
  /// As wait_until(), for a length of time.
  template <typename RepT, typename PeriodT, typename PredicateT>
  bool wait_for(UniqueLock & lock, const std::chrono::duration<RepT, PeriodT> & length,
                const PredicateT & is_so) {
    Native native(lock);
    return condition_.wait_for(native.lock, length, is_so);
  }
  /// Wakes all waiting threads. Any thread; does not block.
  void notify_all() noexcept { condition_.notify_all(); }

 private:
  // The std::mutex inside, as std::condition_variable needs it. For the lock order, a waiting
  // thread keeps holding it.
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
