// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>

#include "takt_core/os/pi_mutex.hpp"

namespace takt::os {

/// A PiMutex that its holder may lock again, and unlocks as often. BasicLockable. To be destroyed
/// by nobody while it is held.
class TAKT_CAPABILITY("mutex") RecursivePiMutex {
 public:
  constexpr explicit RecursivePiMutex(LockRank rank = LockRank::unranked) noexcept : mutex_(rank) {}
  RecursivePiMutex(const RecursivePiMutex &) = delete;
  RecursivePiMutex & operator=(const RecursivePiMutex &) = delete;

  /// Any thread; blocks while another one holds it. Does not allocate.
  void lock() noexcept TAKT_ACQUIRE();
  /// The thread that holds it. Does not block.
  void unlock() noexcept TAKT_RELEASE();

 private:
  PiMutex mutex_;
  std::atomic<const void *> holder_{nullptr};  // only the holder itself can find itself here
  std::size_t again_ = 0;                      // the holder's
};

}  // namespace takt::os
