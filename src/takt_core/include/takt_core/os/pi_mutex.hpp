// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>

#include "takt_core/os/lock_order.hpp"
#include "takt_core/os/lock_rank.hpp"
#include "takt_core/os/thread_safety.hpp"

namespace takt::os {

/// A mutex whose holder inherits the priority of the threads that wait for it (FUTEX_LOCK_PI).
/// BasicLockable; not recursive. Uncontended, locking and unlocking are one atomic operation each;
/// a pthread mutex with PTHREAD_PRIO_INHERIT costs four times as much.
class TAKT_CAPABILITY("mutex") PiMutex {
 public:
  constexpr explicit PiMutex(LockRank rank = LockRank::unranked) noexcept : place_(rank) {}
#ifdef __SANITIZE_THREAD__
  ~PiMutex();
#endif
  PiMutex(const PiMutex &) = delete;
  PiMutex & operator=(const PiMutex &) = delete;

  /// Locks; blocks while another thread holds it. Any thread that does not hold it; does not
  /// allocate. Ends the process if the kernel refuses, as it does if the holder has ended without
  /// unlocking or is the caller.
  void lock() noexcept TAKT_ACQUIRE();
  /// Locks unless another thread holds it: false then. Any thread that does not hold it; does not
  /// block.
  bool try_lock() noexcept TAKT_TRY_ACQUIRE(true);
  /// Unlocks. Only by the holder. Does not block; makes a system call only if a thread waits.
  void unlock() noexcept TAKT_RELEASE();

 private:
  /// The format of the kernel's PI futex: the thread id of the holder, and a bit if threads wait.
  std::atomic<std::uint32_t> word_{0};
  [[no_unique_address]] LockPlace place_;
};

}  // namespace takt::os
