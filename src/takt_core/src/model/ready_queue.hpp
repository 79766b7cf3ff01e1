// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "takt_core/model/job.hpp"

namespace takt::model {

/// The tie-break between jobs that a policy ranks equal.
inline bool tie_precedes(const Job & a, const Job & b) noexcept {
  if (a.deadline != b.deadline) return a.deadline < b.deadline;
  if (a.release != b.release) return a.release < b.release;
  if (a.task != b.task) return a.task < b.task;
  return a.index < b.index;
}

/// The order of ranked jobs: by urgency, then by tie_precedes().
inline bool rank_precedes(const Job & a, const Job & b) noexcept {
  return a.urgency != b.urgency ? a.urgency < b.urgency : tie_precedes(a, b);
}

/// The jobs that could start, at most one per task, as pointers. Either ordered by rank (push,
/// pop), or unordered for a policy that compares jobs (append, bring_first, drop). Allocates only
/// in reserve().
///
/// Jobs mostly become ready in the order in which they will start, for example all timers of one
/// instant. These form a sorted run in a ring, with O(1) access to both ends; only jobs that arrive
/// out of order go to the heap beside it.
class ReadyQueue {
 public:
  void reserve(std::size_t tasks) {
    jobs_.clear();
    jobs_.reserve(tasks);
    run_.assign(tasks, Entry{});
    run_head_ = run_size_ = 0;
    run_leads_ = false;
  }

  void clear() noexcept {
    jobs_.clear();
    run_head_ = run_size_ = 0;
    run_leads_ = false;
  }

  bool empty() const noexcept { return jobs_.empty() && run_size_ == 0; }
  /// Calls `each(job)` for every job, in unspecified order.
  template <typename Each>
  void for_each(const Each & each) const noexcept {
    for (std::size_t i = 0; i < run_size_; ++i) each(*run_[run_place(i)].job);
    for (const Entry & entry : jobs_) each(*entry.job);
  }
  /// The first job in the order; after append(), the first one found by bring_first().
  Job & front() const noexcept { return *(run_leads_ ? run_[run_head_] : jobs_.front()).job; }

  /// The job that probably follows front(), for prefetching: the next one in the run; nullptr if
  /// there is none. Not after append().
  Job * second() const noexcept {
    if (!run_leads_) return run_size_ > 0 ? run_[run_head_].job : nullptr;
    return run_size_ > 1 ? run_[run_place(1)].job : nullptr;
  }

  /// Adds a job by its urgency, which must not change except by rank_anew(). O(log n); O(1) if it
  /// follows all jobs of the run, and on average if ranks ascend.
  void push(Job & job) noexcept {
    const Entry entry{job.urgency, &job};
    if (run_size_ == 0 || precedes(run_[run_place(run_size_ - 1)], entry)) {
      run_[run_place(run_size_++)] = entry;
    } else {
      jobs_.push_back(entry);
      std::push_heap(jobs_.begin(), jobs_.end(), follows);
    }
    find_leader();
  }

  /// Removes the first job. O(log n); O(1) if it is in the run.
  void pop() noexcept {
    if (run_leads_) {
      run_head_ = run_place(1);
      --run_size_;
    } else {
      std::pop_heap(jobs_.begin(), jobs_.end(), follows);
      jobs_.pop_back();
    }
    find_leader();
  }

  /// Removes a job, which must be in the queue. O(n).
  void remove(const Job & job) noexcept {
    for (std::size_t i = 0; i < run_size_; ++i) {
      if (run_[run_place(i)].job != &job) continue;
      for (; i + 1 < run_size_; ++i) run_[run_place(i)] = run_[run_place(i + 1)];
      --run_size_;
      find_leader();
      return;
    }
    std::erase_if(jobs_, [&job](const Entry & entry) { return entry.job == &job; });
    std::make_heap(jobs_.begin(), jobs_.end(), follows);
    find_leader();
  }

  /// Sets the urgency of every job to `rank(job)`. O(n).
  template <typename Rank>
  void rank_anew(Rank rank) noexcept {
    for (; run_size_ > 0; --run_size_) jobs_.push_back(run_[run_place(run_size_ - 1)]);
    for (Entry & entry : jobs_) entry.urgency = entry.job->urgency = rank(*entry.job);
    std::make_heap(jobs_.begin(), jobs_.end(), follows);
    run_leads_ = false;
  }

  void append(Job & job) noexcept { jobs_.push_back({job.urgency, &job}); }

  /// Moves the job that precedes all others to the front. O(n).
  template <typename Precedes>
  void bring_first(Precedes precedes) noexcept {
    for (std::size_t i = 1; i < jobs_.size(); ++i) {
      if (precedes(*jobs_[i].job, *jobs_[0].job)) std::swap(jobs_[i], jobs_[0]);
    }
  }

  /// Removes a job, which must be in the queue. O(n).
  void drop(const Job & job) noexcept {
    auto entry = jobs_.begin();
    while (entry->job != &job) ++entry;
    *entry = jobs_.back();
    jobs_.pop_back();
  }

 private:
  /// A copy of the job's urgency, so that most comparisons need not access the job.
  struct Entry {
    Urgency urgency = 0;
    Job * job = nullptr;
  };

  static bool precedes(const Entry & a, const Entry & b) noexcept {
    return a.urgency != b.urgency ? a.urgency < b.urgency : tie_precedes(*a.job, *b.job);
  }
  // A function object, which the compiler inlines; a pointer to a function it would call.
  static constexpr auto follows = [](const Entry & a, const Entry & b) noexcept {
    return precedes(b, a);
  };

  std::size_t run_place(std::size_t offset) const noexcept {
    const std::size_t place = run_head_ + offset;
    return place < run_.size() ? place : place - run_.size();
  }
  void find_leader() noexcept {
    run_leads_ = run_size_ > 0 && (jobs_.empty() || precedes(run_[run_head_], jobs_.front()));
  }

  std::vector<Entry> jobs_;  // a heap, or unordered
  std::vector<Entry> run_;   // a sorted ring
  std::size_t run_head_ = 0;
  std::size_t run_size_ = 0;
  bool run_leads_ = false;
};

}  // namespace takt::model
