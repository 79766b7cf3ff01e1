// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <takt_core/model/types.hpp>
#include <vector>

#include "record.hpp"

namespace takt::lab {

/// When jobs without content started, one close behind the other in the order in which they did. A
/// row in the record of each one's task would lie in memory that is cold by then, and what an
/// executor costs would mostly be that.
class StartLog {
 public:
  /// Room for so many jobs; allocates, and touches all of it.
  explicit StartLog(std::uint64_t jobs) : starts_(jobs) {}

  /// Any thread; neither allocates nor blocks. What finds no room leaves no trace.
  void note(std::uint32_t task, std::uint64_t index, model::Time start) noexcept {
    const std::uint64_t place = count_.fetch_add(1, std::memory_order_relaxed);
    if (place < starts_.size()) starts_[place] = {start, task, static_cast<std::uint32_t>(index)};
  }

  /// Once nothing runs any more: each as a job of `records[task]` that has finished.
  void enter(std::vector<TaskRecord> & records) const;

 private:
  struct Start {
    model::Time at = 0;
    std::uint32_t task = 0;
    std::uint32_t index = 0;
  };
  std::vector<Start> starts_;
  std::atomic<std::uint64_t> count_{0};
};

}  // namespace takt::lab
