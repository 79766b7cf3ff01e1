// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mutex>

#include "takt_core/os/lock_order.hpp"
#include "takt_core/os/lock_rank.hpp"
#include "takt_core/os/thread_safety.hpp"

namespace takt::os {

/// A std::mutex with thread safety annotations and a rank in the lock order. Its holder inherits no
/// priority: for threads that may wait; for others see PiMutex. lock() blocks while another thread
/// holds it; no member allocates. Lockable; not recursive.
class TAKT_CAPABILITY("mutex") Mutex {
 public:
  constexpr explicit Mutex(LockRank rank = LockRank::unranked) noexcept : place_(rank) {}
  Mutex(const Mutex &) = delete;
  Mutex & operator=(const Mutex &) = delete;

  // The analysis does not know std::mutex.
  void lock() TAKT_ACQUIRE() TAKT_NO_THREAD_SAFETY_ANALYSIS {
    place_.waits();
    mutex_.lock();
    place_.locked();
  }
  bool try_lock() TAKT_TRY_ACQUIRE(true) TAKT_NO_THREAD_SAFETY_ANALYSIS {
    if (!mutex_.try_lock()) return false;
    place_.locked();
    return true;
  }
  void unlock() TAKT_RELEASE() TAKT_NO_THREAD_SAFETY_ANALYSIS {
    place_.unlocks();
    mutex_.unlock();
  }

 private:
  friend class Condition;
  std::mutex mutex_;
  [[no_unique_address]] LockPlace place_;
};

}  // namespace takt::os
