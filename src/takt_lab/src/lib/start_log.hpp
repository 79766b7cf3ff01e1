// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <takt_core/model/types.hpp>
#include <vector>

#include "record.hpp"

namespace takt::lab {

/// The starts of empty jobs, stored contiguously in the order of starts. Rows in the records of the tasks
/// would be in memory that is not in the cache, and cache misses would dominate the measured cost of an
/// executor.
class StartLog {
 public:
  /// Reserves and touches memory for `jobs` jobs. Allocates.
  explicit StartLog(std::uint64_t jobs) : starts_(jobs) {}

  /// Records a start. Any thread; neither allocates nor blocks. If there is no room, it is not recorded.
  void note(std::uint32_t task, std::uint64_t index, model::Time start) noexcept {
    const std::uint64_t place = count_.fetch_add(1, std::memory_order_relaxed);
    if (place < starts_.size()) starts_[place] = {start, task, static_cast<std::uint32_t>(index)};
  }

  /// Enters each start as a finished job of `records[task]`. To be called when nothing runs any more.
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
