// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <takt_core/model/types.hpp>
#include <takt_core/os/event.hpp>
#include <vector>

#include "start_log.hpp"

namespace takt::lab {

/// Periodic tasks in order of their next release: what any executor needs at least.
class ReleaseHeap {
 public:
  struct Entry {
    model::Time release = 0;
    std::uint32_t task = 0;
    std::uint64_t index = 0;
  };

  /// Task i is first released at `t0 + phases[i]`. Allocates; nothing else here does.
  ReleaseHeap(model::Time t0, model::Duration period, const std::vector<model::Duration> & phases);

  std::size_t tasks() const noexcept { return heap_.size(); }
  const Entry & top() const noexcept { return heap_.front(); }
  /// Puts the top at its first release after `now`: what lies between is skipped.
  void advance(model::Time now) noexcept;

 private:
  model::Duration period_;
  std::vector<Entry> heap_;
};

/// Empty timers without an executor, as a floor for comparisons: one clock read for each job, the
/// same that an executor needs for the job's start, and nothing else. Each runs until the end of
/// the grid or until stop(), which may come from any thread.
class Floor {
 public:
  /// `log` must outlive this. `end`: no release at or after it is run.
  Floor(ReleaseHeap heap, StartLog & log, model::Time end);
  virtual ~Floor() = default;
  Floor(const Floor &) = delete;
  Floor & operator=(const Floor &) = delete;

  /// The calling thread takes part; see the kinds.
  virtual void run() = 0;
  void stop() noexcept { stopped_.store(true); }

 protected:
  bool over() const noexcept { return heap_.top().release >= end_ || stopped_.load(); }
  /// Reads the clock and notes the start; returns it.
  model::Time run_job(const ReleaseHeap::Entry & job) noexcept;

  ReleaseHeap heap_;

 private:
  StartLog & log_;
  model::Time end_;
  std::atomic<bool> stopped_{false};
};

/// One thread that sleeps to the next release and runs it.
class FloorLoop : public Floor {
 public:
  using Floor::Floor;
  void run() override;
};

/// What preemption needs at least: one thread, above the other, sleeps to releases and hands them
/// over; the calling thread waits for them and runs them.
class FloorHandover : public Floor {
 public:
  FloorHandover(ReleaseHeap heap, StartLog & log, model::Time end);
  /// The worker's part; ends when the timer's has.
  void run() override;
  /// The timer's part.
  void make_releases();
  /// Jobs so far. Any thread.
  std::uint64_t handed_over() const noexcept { return written_.load(std::memory_order_relaxed); }

 private:
  /// One place for each task: a task whose job still waits is not handed over again.
  std::vector<ReleaseHeap::Entry> ring_;
  std::vector<std::atomic<bool>> pending_;
  std::atomic<std::uint64_t> written_{0};
  std::uint64_t read_ = 0;
  std::atomic<bool> done_{false};
  os::Event handed_over_;
};

}  // namespace takt::lab
