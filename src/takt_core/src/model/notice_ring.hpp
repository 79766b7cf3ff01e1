// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "takt_core/model/types.hpp"

namespace takt::model {

/// Misses, overruns or exhausted budgets (each has a `job`) that have not been taken yet, oldest
/// first. If it is full, further ones are dropped and counted. Does not allocate.
template <typename Notice>
class NoticeRing {
 public:
  /// Takes a vector with more elements, whose contents do not matter; the old one is returned in
  /// it. Keeps the notices. O(places).
  void use(std::vector<Notice> & room) noexcept {
    for (std::size_t i = 0; i < size_; ++i) room[i] = ring_[(first_ + i) % ring_.size()];
    first_ = 0;
    ring_.swap(room);
  }

  /// Drops the notices of a task that is being removed. O(notices).
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
