// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>

#include "takt_core/os/pi_mutex.hpp"

namespace takt::os {

/// A PiMutex that its holder may lock again, and must unlock as often. BasicLockable. Must not be
/// destroyed while held.
class TAKT_CAPABILITY("mutex") RecursivePiMutex {
 public:
  constexpr explicit RecursivePiMutex(LockRank rank = LockRank::unranked) noexcept : mutex_(rank) {}
  RecursivePiMutex(const RecursivePiMutex &) = delete;
  RecursivePiMutex & operator=(const RecursivePiMutex &) = delete;

  /// Locks; blocks while another thread holds it. Any thread; does not allocate.
  void lock() noexcept TAKT_ACQUIRE();
  /// Undoes one lock(). Only by the holder; does not block.
  void unlock() noexcept TAKT_RELEASE();

 private:
  PiMutex mutex_;
  std::atomic<const void *> holder_{nullptr};  // only the holder can find itself here
  std::size_t again_ = 0;                      // nested locks; used by the holder only
};

}  // namespace takt::os
