// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "takt_core/model/types.hpp"

namespace takt::model {

/// Consecutive preemption levels for the ranks of a policy; 1 is the level of the lowest rank. If
/// there are more distinct ranks than levels, neighbouring ranks share levels, evenly.
class Levels {
 public:
  /// A single level for everything.
  Levels() = default;
  /// `most`: the greatest number of levels, at least 1. Allocates.
  Levels(std::vector<std::int64_t> ranks, Level most);

  /// The level of one of the ranks. O(log n).
  Level of(std::int64_t rank) const noexcept;
  Level count() const noexcept { return count_; }
  /// By how many the distinct ranks outnumber the levels.
  std::size_t merged() const noexcept { return ranks_.empty() ? 0 : ranks_.size() - count_; }

 private:
  std::vector<std::int64_t> ranks_;  ///< distinct, ascending
  Level count_ = 1;
};

}  // namespace takt::model
