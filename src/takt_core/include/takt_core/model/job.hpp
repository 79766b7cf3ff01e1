// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "takt_core/model/task.hpp"
#include "takt_core/model/types.hpp"

namespace takt::model {

/// The index of a task's first job beyond its timing, released to refresh what another reads; the
/// next have the numbers after it.
inline constexpr std::uint64_t first_extra_job = std::uint64_t{1} << 63;

/// One release of a task. Instants in ns of whatever clock the scheduler is fed. `Id`: what the task
/// is called by; the scheduler's is an index, an executor's a number of its own.
template <typename Id>
struct JobOf {
  Id task{none};
  /// Preemption level of its task, 1 the lowest.
  Level level = 0;
  /// Counts accepted and skipped releases. Timer: k of the release t0 + phase + k * period, as long
  /// as no scenario changed period or phase. Others: from 0. See also first_extra_job.
  std::uint64_t index = 0;
  /// The instant it was meant to become ready.
  Time release = 0;
  /// Absolute; `never` if the task has none.
  Time deadline = never;
  /// Rank given by the policy: the smaller number goes first.
  Urgency urgency = 0;
};
using Job = JobOf<TaskId>;

}  // namespace takt::model
