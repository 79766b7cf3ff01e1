// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "takt_core/os/mutex.hpp"
#include "takt_core/os/thread_safety.hpp"

namespace takt::os {

/// Holds a lock of any type during its lifetime: a std::lock_guard that clang's thread safety
/// analysis knows.
template <typename MutexT>
class TAKT_SCOPED_CAPABILITY [[nodiscard]] Lock {
 public:
  explicit Lock(MutexT & mutex) TAKT_ACQUIRE(mutex) : mutex_(mutex) { mutex_.lock(); }
  ~Lock() TAKT_RELEASE() { mutex_.unlock(); }
  Lock(const Lock &) = delete;
  Lock & operator=(const Lock &) = delete;

 private:
  MutexT & mutex_;
};

/// Holds a Mutex, and can release and acquire it again in between, as Condition does while waiting.
class TAKT_SCOPED_CAPABILITY [[nodiscard]] UniqueLock {
 public:
  explicit UniqueLock(Mutex & mutex) TAKT_ACQUIRE(mutex) : mutex_(mutex) { mutex_.lock(); }
  ~UniqueLock() TAKT_RELEASE() {
    if (holds_) mutex_.unlock();
  }
  UniqueLock(const UniqueLock &) = delete;
  UniqueLock & operator=(const UniqueLock &) = delete;

  // The analysis does not know that both locks are the same.
  void lock() TAKT_ACQUIRE() TAKT_NO_THREAD_SAFETY_ANALYSIS {
    mutex_.lock();
    holds_ = true;
  }
  void unlock() TAKT_RELEASE() TAKT_NO_THREAD_SAFETY_ANALYSIS {
    holds_ = false;
    mutex_.unlock();
  }

 private:
  friend class Condition;
  Mutex & mutex_;
  bool holds_ = true;
};

}  // namespace takt::os
