// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "takt_core/model/task.hpp"
#include "takt_core/model/types.hpp"

namespace takt::model {

/// The index of a task's first extra job: one released in addition to the task's timing, to refresh
/// data that another task reads. Further extra jobs have the following numbers.
inline constexpr std::uint64_t first_extra_job = std::uint64_t{1} << 63;

/// One release of a task. Instants are in ns, by the clock of the scheduler's caller. `Id` is the
/// type of the task's number: an index in the scheduler, an executor::TaskId in an executor.
template <typename Id>
struct JobOf {
  Id task{none};
  /// The preemption level of its task; 1 is the lowest.
  Level level = 0;
  /// For a timer, k of the release at t0 + phase + k * period, as long as no scenario changes
  /// period or phase. Otherwise counts the accepted and skipped releases from 0. See also
  /// first_extra_job.
  std::uint64_t index = 0;
  /// The nominal release.
  Time release = 0;
  /// The absolute deadline; `never` if the task has none.
  Time deadline = never;
  /// The urgency given by the policy: the job with the smaller number goes first.
  Urgency urgency = 0;
};
using Job = JobOf<TaskId>;

}  // namespace takt::model
