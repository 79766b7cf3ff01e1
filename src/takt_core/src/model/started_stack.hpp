// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "takt_core/model/job.hpp"

namespace takt::model {

/// The started jobs; levels rise strictly from bottom to top. Allocates only in reserve().
class StartedStack {
 public:
  void reserve(std::size_t levels) { stack_.reserve(levels); }

  bool empty() const noexcept { return stack_.empty(); }
  const Job & top() const noexcept { return stack_.back().job; }

  /// What the level of a job must exceed to start: the highest ceiling of the started jobs, 0 if
  /// there is none. A job's ceiling is its group's, and not below its own level.
  Level ceiling() const noexcept { return stack_.empty() ? 0 : stack_.back().system; }

  void push(const Job & job, Level ceiling) noexcept {
    stack_.push_back({job, ceiling, std::max(ceiling, this->ceiling())});
  }

  /// nullptr if no job of the level is started.
  const Job * find(Level level) const noexcept {
    for (auto entry = stack_.rbegin(); entry != stack_.rend(); ++entry) {
      if (entry->job.level == level) return &entry->job;
    }
    return nullptr;
  }

  /// Takes away the job of the level, which must be started. It is the top one but where that one
  /// waits for something outside and let those below run.
  void remove(Level level) noexcept {
    std::size_t i = stack_.size() - 1;
    while (stack_[i].job.level != level) --i;
    stack_.erase(stack_.begin() + static_cast<std::ptrdiff_t>(i));
    for (; i < stack_.size(); ++i) {
      stack_[i].system = std::max(stack_[i].own, i == 0 ? Level{0} : stack_[i - 1].system);
    }
  }

  /// Gives every started job a new urgency, `rank(job)`.
  template <typename Rank>
  void rank_anew(Rank rank) noexcept {
    for (Entry & entry : stack_) entry.job.urgency = rank(entry.job);
  }

 private:
  struct Entry {
    Job job;
    Level own;     ///< its own ceiling
    Level system;  ///< the highest ceiling from the bottom up to here
  };
  std::vector<Entry> stack_;
};

}  // namespace takt::model
