// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "takt_core/model/scheduler.hpp"

namespace takt::model {

/// Misses noticed and not yet taken, oldest first. When it is full the newest is not kept, and
/// counted. Allocates only in reserve() and forget().
class MissRing {
 public:
  /// Makes room for at least `places` misses; keeps those not yet taken.
  void reserve(std::size_t places) {
    std::vector<Miss> kept = take_all();
    ring_.assign(places > kept.size() ? places : kept.size(), Miss{});
    for (const Miss & miss : kept) push(miss);
  }

  /// Drops the misses of a task that is going.
  void forget(TaskId task) {
    for (const Miss & miss : take_all()) {
      if (miss.job.task != task) push(miss);
    }
  }

  void push(const Miss & miss) noexcept {
    if (size_ == ring_.size()) {
      ++lost_;
      return;
    }
    ring_[(first_ + size_++) % ring_.size()] = miss;
  }

  bool pop(Miss & miss) noexcept {
    if (size_ == 0) return false;
    miss = ring_[first_];
    first_ = (first_ + 1) % ring_.size();
    --size_;
    return true;
  }

  bool empty() const noexcept { return size_ == 0; }
  std::uint64_t lost() const noexcept { return lost_; }

 private:
  std::vector<Miss> take_all() {
    std::vector<Miss> all(size_);
    for (Miss & miss : all) pop(miss);
    first_ = 0;
    return all;
  }

  std::vector<Miss> ring_;
  std::size_t first_ = 0;
  std::size_t size_ = 0;
  std::uint64_t lost_ = 0;
};

}  // namespace takt::model
