// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "grid.hpp"
#include "rows.hpp"

namespace takt::lab {

/// The record of one task in a run, with a row for each release on the grid, reserved before the run. The
/// functions from begin() to finish() are called on the thread that runs the job, one job at a time; they
/// neither allocate nor block. Releases beyond the grid are not recorded, except for extra jobs.
class TaskRecord {
 public:
  /// `reads` and `publishes` are the indices of the topics; `extra_jobs` is the number of extra jobs for
  /// which memory is reserved. Allocates.
  TaskRecord(std::uint32_t task, const TaskGrid & grid, std::span<const std::uint32_t> reads,
             std::span<const std::uint32_t> publishes, std::uint64_t extra_jobs = 0);

  void begin(std::uint64_t index, model::Time start) noexcept;
  /// Called instead of begin() for an extra job, which was released beyond the grid.
  void begin_extra(std::uint64_t index, model::Time release, model::Time start) noexcept;
  /// Records the cost of starting the job; see JobRow. -1: not known.
  void dispatched(model::Duration decision, model::Duration cpu) noexcept;
  /// Records the message that was read; `place` is the index among the topics read.
  void read(std::size_t place, std::int64_t sequence, std::int64_t published) noexcept;
  /// Records a published message; `place` is the index among the topics published.
  void publish(std::size_t place, std::int64_t sequence, std::int64_t stamp,
               model::Time returned) noexcept;
  void finish(model::Time finish, model::Duration cpu) noexcept;
  /// Called instead of finish() if the clock was not read at the end: its finish stays -1.
  void finish_unmeasured() noexcept;

  /// Records that the executor noticed a deadline miss of this job. Any thread, one at a time.
  void mark_late(std::uint64_t index) noexcept;

  /// Completes the record when nothing runs any more. Release instants are computed from `t0`. A job that
  /// had not finished at `end` is unfinished. A job that never started is skipped if it fell victim to an
  /// overrun, else unfinished. `waiting` is the number of releases that may wait while a job of the task is
  /// unfinished.
  void close(model::Time t0, model::Time end, std::uint64_t waiting);

  std::span<const JobRow> jobs() const noexcept { return jobs_; }
  /// Returns the rows of the jobs that started. Allocates.
  std::vector<ReadRow> reads() const;
  /// Returns the rows of the jobs that published. Allocates.
  std::vector<PublishRow> publishes() const;

 private:
  void classify(std::uint64_t waiting);
  /// Returns the index of the job's rows.
  std::uint64_t place_of(std::uint64_t index) const noexcept;

  TaskGrid grid_;
  std::size_t reads_per_job_;
  std::size_t publishes_per_job_;
  std::uint64_t current_ = 0;
  std::vector<JobRow> jobs_;  // first the jobs on the grid, then the extra ones
  std::vector<ReadRow> reads_;
  std::vector<PublishRow> publishes_;
  // Separate from the rows, because another thread writes it while the job runs.
  std::vector<std::uint8_t> late_;
};

}  // namespace takt::lab
