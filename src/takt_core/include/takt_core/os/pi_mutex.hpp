// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>

#include "takt_core/os/lock_order.hpp"
#include "takt_core/os/lock_rank.hpp"
#include "takt_core/os/thread_safety.hpp"

namespace takt::os {

/// A mutex whose holder inherits the priority of the threads that wait for it. BasicLockable. Not
/// recursive. Uncontended, it is one atomic operation each way, which a mutex of the C library with
/// priority inheritance is not: it costs four times as much.
class TAKT_CAPABILITY("mutex") PiMutex {
 public:
  constexpr explicit PiMutex(LockRank rank = LockRank::unranked) noexcept : place_(rank) {}
#ifdef __SANITIZE_THREAD__
  ~PiMutex();
#endif
  PiMutex(const PiMutex &) = delete;
  PiMutex & operator=(const PiMutex &) = delete;

  /// Any thread that does not hold it; blocks. Does not allocate. Ends the process if the kernel
  /// refuses, as it does where the holder ended without unlocking or is the caller itself.
  void lock() noexcept TAKT_ACQUIRE();
  /// False if another thread holds it. Any thread that does not hold it; does not block.
  bool try_lock() noexcept TAKT_TRY_ACQUIRE(true);
  /// The thread that holds it. Does not block; a system call only if somebody waits.
  void unlock() noexcept TAKT_RELEASE();

 private:
  /// As the kernel wants it: the thread id of the holder, and a bit if somebody waits.
  std::atomic<std::uint32_t> word_{0};
  [[no_unique_address]] LockPlace place_;
};

}  // namespace takt::os
