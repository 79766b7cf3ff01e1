// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/os/recursive_pi_mutex.hpp"

namespace takt::os {
namespace {

// Its address identifies the thread, without a system call.
constinit thread_local char mark = 0;

}  // namespace

// The analysis does not support recursive locks.

void RecursivePiMutex::lock() noexcept TAKT_NO_THREAD_SAFETY_ANALYSIS {
  if (holder_.load(std::memory_order_relaxed) == &mark) {
    ++again_;
    return;
  }
  mutex_.lock();
  holder_.store(&mark, std::memory_order_relaxed);
}

void RecursivePiMutex::unlock() noexcept TAKT_NO_THREAD_SAFETY_ANALYSIS {
  if (again_ > 0) {
    --again_;
    return;
  }
  holder_.store(nullptr, std::memory_order_relaxed);
  mutex_.unlock();
}

}  // namespace takt::os
