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
  /// Adds a lock; false if there is no room for it. Locks of the rank `unranked` are not stored.
  bool add(const void * lock, LockRank rank) noexcept;
  /// Removes a lock; no effect if it is not stored.
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
// These functions keep the HeldLocks of the calling thread. check_order() ends the process, with a
// line that names both locks, if waiting for a lock of this rank violates the order; note_locked()
// does so if the thread holds too many locks.
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
  /// To be called when the lock has been acquired.
  void locked() const noexcept { note_locked(this, rank_); }
  /// To be called before the lock is released.
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
