// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "takt_core/model/types.hpp"

namespace takt::model {

/// Misses and the like (each has a `job`) that were noticed and not yet taken, oldest first. When it
/// is full the newest is not kept, and counted. Does not allocate.
template <typename Notice>
class NoticeRing {
 public:
  /// A vector with more places, whatever is in them; the old one is left in it. Keeps what was not
  /// yet taken. O(places).
  void use(std::vector<Notice> & room) noexcept {
    for (std::size_t i = 0; i < size_; ++i) room[i] = ring_[(first_ + i) % ring_.size()];
    first_ = 0;
    ring_.swap(room);
  }

  /// Drops those of a task that is going. O(those not yet taken).
  void forget(TaskId task) noexcept {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < size_; ++i) {
      const Notice & notice = ring_[(first_ + i) % ring_.size()];
      if (notice.job.task != task) ring_[(first_ + kept++) % ring_.size()] = notice;
    }
    size_ = kept;
  }

  void push(const Notice & notice) noexcept {
    if (size_ == ring_.size()) {
      ++lost_;
      return;
    }
    ring_[(first_ + size_++) % ring_.size()] = notice;
  }

  bool pop(Notice & notice) noexcept {
    if (size_ == 0) return false;
    notice = ring_[first_];
    first_ = (first_ + 1) % ring_.size();
    --size_;
    return true;
  }

  bool empty() const noexcept { return size_ == 0; }
  std::uint64_t lost() const noexcept { return lost_; }

 private:
  std::vector<Notice> ring_;
  std::size_t first_ = 0;
  std::size_t size_ = 0;
  std::uint64_t lost_ = 0;
};

}  // namespace takt::model
