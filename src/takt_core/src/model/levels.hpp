// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "takt_core/model/types.hpp"

namespace takt::model {

/// Dense preemption levels made of a policy's ranks, 1 for the lowest rank. Where distinct ranks
/// outnumber the levels, neighbours share one, evenly.
class Levels {
 public:
  /// One level for everything.
  Levels() = default;
  /// `most` >= 1. Allocates.
  Levels(std::vector<std::int64_t> ranks, Level most);

  /// Level of one of the ranks given. O(log n).
  Level of(std::int64_t rank) const noexcept;
  Level count() const noexcept { return count_; }
  /// How many ranks lost a level of their own.
  std::size_t merged() const noexcept { return ranks_.empty() ? 0 : ranks_.size() - count_; }

 private:
  std::vector<std::int64_t> ranks_;  ///< distinct, rising
  Level count_ = 1;
};

}  // namespace takt::model
