// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <optional>

#include "takt_core/os/lock_rank.hpp"

namespace takt::os {

/// The locks that a thread holds, with their ranks. Does not allocate.
class HeldLocks {
 public:
  /// The rank of a held lock that forbids waiting for a lock of `rank`; no value if waiting is
  /// allowed.
  std::optional<LockRank> forbids(LockRank rank) const noexcept;
  /// Adds a lock; false if there is no room for it.
  bool add(const void * lock, LockRank rank) noexcept;
  void remove(const void * lock) noexcept;

 private:
  struct Held {
    const void * lock;
    LockRank rank;
  };
  static constexpr std::size_t most = 32;
  std::array<Held, most> held_{};
  std::size_t count_ = 0;
};

#ifdef TAKT_CHECK_LOCK_ORDER
// Of the calling thread. If the order is violated, they end the process with a line that names both
// locks.
void check_order(LockRank rank) noexcept;
void note_locked(const void * lock, LockRank rank) noexcept;
void note_unlocked(const void * lock) noexcept;
#endif

/// A lock's place in the lock order, as a member of the lock. It has no size and no effect except
/// in builds that check the order (TAKT_CHECK_LOCK_ORDER).
class LockPlace {
 public:
#ifdef TAKT_CHECK_LOCK_ORDER
  constexpr explicit LockPlace(LockRank rank) noexcept : rank_(rank) {}
  /// To be called before waiting for the lock.
  void waits() const noexcept { check_order(rank_); }
  void locked() const noexcept { note_locked(this, rank_); }
  void unlocks() const noexcept { note_unlocked(this); }

 private:
  LockRank rank_;
#else
  constexpr explicit LockPlace(LockRank /*rank*/) noexcept {}
  void waits() const noexcept {}
  void locked() const noexcept {}
  void unlocks() const noexcept {}
#endif
};

}  // namespace takt::os
