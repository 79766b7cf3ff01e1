// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "takt_core/model/job.hpp"

namespace takt::model {

/// The started jobs, as pointers; their levels rise strictly from bottom to top. Allocates only in
/// reserve().
class StartedStack {
 public:
  void reserve(std::size_t levels) { stack_.reserve(levels); }

  bool empty() const noexcept { return stack_.empty(); }
  const Job & top() const noexcept { return *stack_.back().job; }

  /// The level that a job must exceed to start (the system ceiling of the stack resource policy):
  /// the highest ceiling of the started jobs, 0 if there are none. A job's ceiling is its group's,
  /// and at least its own level. As each job started above the ceilings of those below it, the top
  /// one's is the highest.
  Level ceiling() const noexcept { return stack_.empty() ? 0 : stack_.back().ceiling; }

  /// Adds a job, whose level must be above ceiling().
  void push(Job & job, Level ceiling) noexcept { stack_.push_back({&job, job.level, ceiling}); }

  /// The worker of a raised job, and that of the job that was directly above it; 0 if it was on
  /// top.
  struct Raised {
    Level worker;
    Level above;
  };
  /// Moves the job to the top, with a level above all ceilings. Its worker stays the same.
  Raised raise(Job & job, Level level) noexcept {
    auto entry = stack_.begin();
    while (entry->job != &job) ++entry;
    const Raised raised{entry->worker, entry + 1 == stack_.end() ? 0 : entry[1].worker};
    std::rotate(entry, entry + 1, stack_.end());
    job.level = level;
    stack_.back().ceiling = std::max(level, stack_.back().ceiling);
    return raised;
  }

  /// The first started job from the bottom for which `matches(job)` is true; nullptr if none.
  template <typename Matches>
  Job * find_if(Matches matches) const noexcept {
    for (const Entry & entry : stack_) {
      if (matches(*entry.job)) return entry.job;
    }
    return nullptr;
  }

  /// The worker on which the top job was started.
  Level worker() const noexcept { return stack_.back().worker; }

  /// The job started on this worker; nullptr if there is none.
  const Job * find(Level worker) const noexcept {
    for (auto entry = stack_.rbegin(); entry != stack_.rend(); ++entry) {
      if (entry->worker == worker) return entry->job;
    }
    return nullptr;
  }

  /// Removes the job started on the worker; there must be one. It is the top one unless that waits
  /// for something outside, so that a lower one runs.
  void remove(Level worker) noexcept {
    auto entry = stack_.end() - 1;
    while (entry->worker != worker) --entry;
    stack_.erase(entry);
  }

  /// To be called when a job has moved to another address; no effect if it is not started.
  void replace(const Job & before, Job & now) noexcept {
    for (Entry & entry : stack_) {
      if (entry.job == &before) entry.job = &now;
    }
  }

  /// Calls `each(job)` from the lowest to the top one.
  template <typename Each>
  void for_each(const Each & each) const noexcept {
    for (const Entry & entry : stack_) each(*entry.job);
  }

  /// Moves every started job to the worker `level(job)`, with that level and ceiling, and calls
  /// `told(from, to)` for those that were on another one. No effect if a job was raised, or if
  /// those levels do not rise.
  template <typename LevelOf, typename Told>
  void move(LevelOf level, Told told) noexcept {
    Level below = 0;
    for (const Entry & entry : stack_) {
      if (entry.job->level != entry.worker || level(*entry.job) <= below) return;
      below = level(*entry.job);
    }
    for (Entry & entry : stack_) {
      const Level to = level(*entry.job);
      if (to != entry.worker) told(entry.worker, to);
      entry.worker = entry.ceiling = entry.job->level = to;
    }
  }

  /// Raises every started job's ceiling to `ceiling(job)`, if that is higher.
  template <typename Ceiling>
  void raise_ceilings(Ceiling ceiling) noexcept {
    Level highest = 0;
    for (Entry & entry : stack_) {
      highest = std::max({highest, entry.ceiling, Level{ceiling(*entry.job)}});
      entry.ceiling = highest;
    }
  }

  /// Sets the urgency of every started job to `rank(job)`.
  template <typename Rank>
  void rank_anew(Rank rank) noexcept {
    for (Entry & entry : stack_) entry.job->urgency = rank(*entry.job);
  }

 private:
  struct Entry {
    Job * job;
    Level worker;  ///< the level at which it was started
    Level ceiling;
  };
  std::vector<Entry> stack_;
};

}  // namespace takt::model
