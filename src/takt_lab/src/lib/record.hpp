// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "grid.hpp"
#include "rows.hpp"

namespace takt::lab {

/// What one task did in a run: one place for each release on the grid, reserved before it begins.
/// begin() to finish() are called by whichever thread runs the job, one job at a time; they neither
/// allocate nor block. A release beyond the grid leaves no trace, but for extra ones.
class TaskRecord {
 public:
  /// Allocates. `reads` and `publishes` are the indices of the topics; `extra_jobs`: how many there
  /// is room for.
  TaskRecord(std::uint32_t task, const TaskGrid & grid, std::span<const std::uint32_t> reads,
             std::span<const std::uint32_t> publishes, std::uint64_t extra_jobs = 0);

  void begin(std::uint64_t index, model::Time start) noexcept;
  /// Instead, of a job that was released beyond the grid.
  void begin_extra(std::uint64_t index, model::Time release, model::Time start) noexcept;
  /// What it took to get the job started, as JobRow has it; -1: not known.
  void dispatched(model::Duration decision, model::Duration cpu) noexcept;
  /// `place` counts the topics read.
  void read(std::size_t place, std::int64_t sequence, std::int64_t published) noexcept;
  /// `place` counts the topics published.
  void publish(std::size_t place, std::int64_t sequence, std::int64_t stamp,
               model::Time returned) noexcept;
  void finish(model::Time finish, model::Duration cpu) noexcept;
  /// Instead of finish(), where nobody read a clock at the end: the row keeps -1 there.
  void finish_unmeasured() noexcept;

  /// The executor noticed that this job missed its deadline. Any thread, one at a time.
  void mark_late(std::uint64_t index) noexcept;

  /// Completes the record once nothing runs any more: release instants from `t0`; a job not
  /// finished at `end` is unfinished; what never started is skipped if the overrun rule shed it,
  /// else unfinished. `waiting`: how many releases may wait while a job of the task is unfinished.
  void close(model::Time t0, model::Time end, std::uint64_t waiting);

  std::span<const JobRow> jobs() const noexcept { return jobs_; }
  /// Of the jobs that started. Allocates.
  std::vector<ReadRow> reads() const;
  /// Of the jobs that published. Allocates.
  std::vector<PublishRow> publishes() const;

 private:
  void classify(std::uint64_t waiting);
  /// Where the job's rows are.
  std::uint64_t place_of(std::uint64_t index) const noexcept;

  TaskGrid grid_;
  std::size_t reads_per_job_;
  std::size_t publishes_per_job_;
  std::uint64_t current_ = 0;
  std::vector<JobRow> jobs_;  // of the grid, then the extra ones
  std::vector<ReadRow> reads_;
  std::vector<PublishRow> publishes_;
  // Apart from the rows, because another thread writes it while the job runs.
  std::vector<std::uint8_t> late_;
};

}  // namespace takt::lab
