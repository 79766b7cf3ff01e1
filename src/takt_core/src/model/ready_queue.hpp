// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "takt_core/model/job.hpp"

namespace takt::model {

/// The order of jobs among which a policy makes no difference.
inline bool tie_precedes(const Job & a, const Job & b) noexcept {
  if (a.deadline != b.deadline) return a.deadline < b.deadline;
  if (a.release != b.release) return a.release < b.release;
  if (a.task != b.task) return a.task < b.task;
  return a.index < b.index;
}

/// The order of ranked jobs: urgency, then ties.
inline bool rank_precedes(const Job & a, const Job & b) noexcept {
  return a.urgency != b.urgency ? a.urgency < b.urgency : tie_precedes(a, b);
}

/// Jobs that could start, at most one of each task. Either kept as a heap by rank (push, pop), or
/// unordered for a policy that compares jobs (append, bring_first, drop_first); the first is at
/// the front in both. Allocates only in reserve().
class ReadyQueue {
 public:
  void reserve(std::size_t tasks) {
    jobs_.clear();
    jobs_.reserve(tasks);
  }

  bool empty() const noexcept { return jobs_.empty(); }
  const Job & front() const noexcept { return jobs_.front(); }

  /// O(log n); O(1) on average when urgencies rise.
  void push(const Job & job) noexcept {
    jobs_.push_back(job);
    std::push_heap(jobs_.begin(), jobs_.end(), follows);
  }

  /// O(log n).
  void pop() noexcept {
    std::pop_heap(jobs_.begin(), jobs_.end(), follows);
    jobs_.pop_back();
  }

  /// Gives every job a new urgency, `rank(job)`. O(n).
  template <typename Rank>
  void rank_anew(Rank rank) noexcept {
    for (Job & job : jobs_) job.urgency = rank(job);
    std::make_heap(jobs_.begin(), jobs_.end(), follows);
  }

  void append(const Job & job) noexcept { jobs_.push_back(job); }

  /// Brings the job that precedes all others to the front. O(n).
  template <typename Precedes>
  void bring_first(Precedes precedes) noexcept {
    for (std::size_t i = 1; i < jobs_.size(); ++i) {
      if (precedes(jobs_[i], jobs_[0])) std::swap(jobs_[i], jobs_[0]);
    }
  }

  void drop_first() noexcept {
    jobs_.front() = jobs_.back();
    jobs_.pop_back();
  }

 private:
  static bool follows(const Job & a, const Job & b) noexcept { return rank_precedes(b, a); }

  std::vector<Job> jobs_;
};

}  // namespace takt::model
