// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "levels.hpp"

#include <algorithm>

namespace takt::model {

Levels::Levels(std::vector<std::int64_t> ranks, Level most) : ranks_(std::move(ranks)) {
  std::sort(ranks_.begin(), ranks_.end());
  ranks_.erase(std::unique(ranks_.begin(), ranks_.end()), ranks_.end());
  const std::size_t fitting = std::min<std::size_t>(ranks_.size(), most);
  count_ = std::max<Level>(1, static_cast<Level>(fitting));
}

Level Levels::of(std::int64_t rank) const noexcept {
  if (ranks_.empty()) return 1;
  const auto place = std::lower_bound(ranks_.begin(), ranks_.end(), rank) - ranks_.begin();
  return 1 + static_cast<Level>(static_cast<std::size_t>(place) * count_ / ranks_.size());
}

}  // namespace takt::model
