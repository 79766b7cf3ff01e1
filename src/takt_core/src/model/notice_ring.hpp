// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "takt_core/model/types.hpp"

namespace takt::model {

/// Misses and the like (each has a `job`) that were noticed and not yet taken, oldest first. When it
/// is full the newest is not kept, and counted. Allocates only in reserve() and forget().
template <typename Notice>
class NoticeRing {
 public:
  /// Makes room for at least `places`; keeps what was not yet taken. Room that is needed again and
  /// again grows by doubling.
  void reserve(std::size_t places) {
    if (places <= ring_.size()) return;
    places = std::max(places, 2 * ring_.size());
    std::vector<Notice> kept = take_all();
    ring_.assign(places > kept.size() ? places : kept.size(), Notice{});
    for (const Notice & notice : kept) push(notice);
  }

  /// Drops those of a task that is going.
  void forget(TaskId task) {
    for (const Notice & notice : take_all()) {
      if (notice.job.task != task) push(notice);
    }
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
  std::vector<Notice> take_all() {
    std::vector<Notice> all(size_);
    for (Notice & notice : all) pop(notice);
    first_ = 0;
    return all;
  }

  std::vector<Notice> ring_;
  std::size_t first_ = 0;
  std::size_t size_ = 0;
  std::uint64_t lost_ = 0;
};

}  // namespace takt::model
