// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/os/lock_order.hpp"

#include <algorithm>
#include <cstdio>
#include <exception>

namespace takt::os {

std::optional<LockRank> HeldLocks::forbids(LockRank rank) const noexcept {
  if (rank == LockRank::unranked) return std::nullopt;
  for (std::size_t i = 0; i < count_; ++i) {
    const LockRank held = held_[i].rank;
    if (held > rank || (held == rank && !nests(rank))) return held;
  }
  return std::nullopt;
}

bool HeldLocks::add(const void * lock, LockRank rank) noexcept {
  if (rank == LockRank::unranked) return true;
  if (count_ == most) return false;
  held_[count_++] = {lock, rank};
  return true;
}

void HeldLocks::remove(const void * lock) noexcept {
  // Locks are mostly released in reverse order.
  for (std::size_t i = count_; i > 0; --i) {
    if (held_[i - 1].lock != lock) continue;
    std::copy(held_.begin() + static_cast<std::ptrdiff_t>(i),
              held_.begin() + static_cast<std::ptrdiff_t>(count_),
              held_.begin() + static_cast<std::ptrdiff_t>(i - 1));
    --count_;
    return;
  }
}

#ifdef TAKT_CHECK_LOCK_ORDER
namespace {

constinit thread_local HeldLocks held;

}  // namespace

void check_order(LockRank rank) noexcept {
  const std::optional<LockRank> other = held.forbids(rank);
  if (!other) return;
  std::fprintf(stderr,
               "takt: locks in the wrong order: a thread that holds '%s' waits for '%s', which "
               "os::LockRank puts %s\n",
               name(*other), name(rank), *other == rank ? "beside it" : "before it");
  std::terminate();
}

void note_locked(const void * lock, LockRank rank) noexcept {
  if (held.add(lock, rank)) return;
  std::fprintf(stderr, "takt: a thread holds too many locks: '%s' is one more\n", name(rank));
  std::terminate();
}

void note_unlocked(const void * lock) noexcept {
  held.remove(lock);
}
#endif

}  // namespace takt::os
