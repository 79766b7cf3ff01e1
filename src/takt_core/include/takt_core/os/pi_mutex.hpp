// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pthread.h>

namespace takt::os {

/// A mutex whose holder inherits the priority of the threads that wait for it. BasicLockable.
/// Not recursive. No system call unless it is contended.
class PiMutex {
 public:
  /// Throws std::system_error if the kernel has no priority inheritance.
  PiMutex();
  ~PiMutex();
  PiMutex(const PiMutex &) = delete;
  PiMutex & operator=(const PiMutex &) = delete;

  void lock() noexcept;
  void unlock() noexcept;

 private:
  pthread_mutex_t mutex_;
};

}  // namespace takt::os
