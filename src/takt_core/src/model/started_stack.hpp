// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "takt_core/model/job.hpp"

namespace takt::model {

/// The started jobs, which lie elsewhere; levels rise strictly from bottom to top. Allocates only in reserve().
class StartedStack {
 public:
  void reserve(std::size_t levels) { stack_.reserve(levels); }

  bool empty() const noexcept { return stack_.empty(); }
  const Job & top() const noexcept { return *stack_.back().job; }

  /// What the level of a job must exceed to start: the highest ceiling of the started jobs, 0 if
  /// there is none. A job's ceiling is its group's, and not below its own level; as each started
  /// above the ceilings of those below it, the top one's is the highest.
  Level ceiling() const noexcept { return stack_.empty() ? 0 : stack_.back().ceiling; }

  /// The job's level must be above ceiling().
  void push(Job & job, Level ceiling) noexcept { stack_.push_back({&job, job.level, ceiling}); }

  /// Where a job that is raised is, and the one that was directly above it; 0 if it was the top one.
  struct Raised {
    Level worker;
    Level above;
  };
  /// Moves the job to the top, above all ceilings, with a level that is above them. Its worker stays.
  Raised raise(Job & job, Level level) noexcept {
    auto entry = stack_.begin();
    while (entry->job != &job) ++entry;
    const Raised raised{entry->worker, entry + 1 == stack_.end() ? 0 : entry[1].worker};
    std::rotate(entry, entry + 1, stack_.end());
    job.level = level;
    stack_.back().ceiling = std::max(level, stack_.back().ceiling);
    return raised;
  }

  /// The first started job that `matches(job)`, from the bottom; nullptr if none does.
  template <typename Matches>
  Job * find_if(Matches matches) const noexcept {
    for (const Entry & entry : stack_) {
      if (matches(*entry.job)) return entry.job;
    }
    return nullptr;
  }

  /// Where the top one was started.
  Level worker() const noexcept { return stack_.back().worker; }

  /// nullptr if no job is started on this worker.
  const Job * find(Level worker) const noexcept {
    for (auto entry = stack_.rbegin(); entry != stack_.rend(); ++entry) {
      if (entry->worker == worker) return entry->job;
    }
    return nullptr;
  }

  /// Takes away the job started on the worker, which must be. It is the top one but where that one
  /// waits for something outside and let those below run.
  void remove(Level worker) noexcept {
    auto entry = stack_.end() - 1;
    while (entry->worker != worker) --entry;
    stack_.erase(entry);
  }

  /// The job, if it is started, lies elsewhere now.
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
  /// `told(from, to)` for those that were elsewhere. Nothing happens where a job was raised, or if
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

  /// Gives every started job a new urgency, `rank(job)`.
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
