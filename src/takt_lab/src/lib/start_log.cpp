// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "start_log.hpp"

#include <algorithm>

namespace takt::lab {

void StartLog::enter(std::vector<TaskRecord> & records) const {
  const std::uint64_t count = std::min<std::uint64_t>(count_.load(), starts_.size());
  for (std::uint64_t i = 0; i < count; ++i) {
    const Start & start = starts_[i];
    records[start.task].begin(start.index, start.at);
    records[start.task].finish_unmeasured();
  }
}

}  // namespace takt::lab
