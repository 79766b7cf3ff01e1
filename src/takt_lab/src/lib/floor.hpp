// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <takt_core/model/types.hpp>
#include <takt_core/os/event.hpp>
#include <vector>

#include "start_log.hpp"

namespace takt::lab {

/// A heap of periodic tasks, ordered by their next release: the least that any executor needs.
class ReleaseHeap {
 public:
  struct Entry {
    model::Time release = 0;
    std::uint32_t task = 0;
    std::uint64_t index = 0;
  };

  /// Task i is first released at `t0 + phases[i]`. Allocates; the other functions do not.
  ReleaseHeap(model::Time t0, model::Duration period, const std::vector<model::Duration> & phases);

  std::size_t tasks() const noexcept { return heap_.size(); }
  const Entry & top() const noexcept { return heap_.front(); }
  /// Moves the top entry to its first release after `now`; releases in between are skipped.
  void advance(model::Time now) noexcept;

 private:
  model::Duration period_;
  std::vector<Entry> heap_;
};

/// Empty timers without an executor, as a lower bound for comparisons: each job reads the clock once, as an
/// executor does for the start of a job, and does nothing else. Runs until the end of the grid or stop().
class Floor {
 public:
  /// `log` must outlive the object. Releases at or after `end` are not run.
  Floor(ReleaseHeap heap, StartLog & log, model::Time end);
  virtual ~Floor() = default;
  Floor(const Floor &) = delete;
  Floor & operator=(const Floor &) = delete;

  /// Runs the timers; see the derived classes for the part of the calling thread.
  virtual void run() = 0;
  /// Ends run(). Any thread.
  void stop() noexcept { stopped_.store(true); }

 protected:
  bool over() const noexcept { return heap_.top().release >= end_ || stopped_.load(); }
  /// Reads the clock, records the start of the job and returns it.
  model::Time run_job(const ReleaseHeap::Entry & job) noexcept;

  ReleaseHeap heap_;

 private:
  StartLog & log_;
  model::Time end_;
  std::atomic<bool> stopped_{false};
};

/// The loop of one thread, which sleeps until the next release and runs its job.
class FloorLoop : public Floor {
 public:
  using Floor::Floor;
  void run() override;
};

/// The least that preemption needs: a thread of higher priority sleeps until releases and hands them over
/// to the calling thread, which runs the jobs.
class FloorWakeUp : public Floor {
 public:
  FloorWakeUp(ReleaseHeap heap, StartLog & log, model::Time end);
  /// The part of the worker; ends after that of the timer.
  void run() override;
  /// The part of the timer, on another thread.
  void make_releases();
  /// The number of jobs so far. Any thread.
  std::uint64_t handed_over() const noexcept { return written_.load(std::memory_order_relaxed); }

 private:
  /// Has one place per task, because a task whose job is waiting is not handed over again.
  std::vector<ReleaseHeap::Entry> ring_;
  std::vector<std::atomic<bool>> pending_;
  std::atomic<std::uint64_t> written_{0};
  std::uint64_t read_ = 0;
  std::atomic<bool> done_{false};
  os::Event handed_over_;
};

}  // namespace takt::lab
