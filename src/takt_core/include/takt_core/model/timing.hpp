// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "takt_core/model/scenario.hpp"

namespace takt::model {

/// The task with a scenario's timing. A timer's deadline that equals its period follows the period.
/// Allocates.
inline Task timed(Task task, const Timing & timing) {
  const bool implicit = task.kind == TaskKind::timer && task.deadline == task.period;
  task.period = timing.period.value_or(task.period);
  task.rank_period = timing.rank_period.value_or(task.rank_period);
  if (timing.phase) {
    task.phase = *timing.phase;
    task.own_grid = false;
  }
  task.deadline = timing.deadline.value_or(implicit ? task.period : task.deadline);
  task.priority = timing.priority.value_or(task.priority);
  task.budget = timing.budget.value_or(task.budget);
  for (Input & input : task.data.inputs) {
    const auto found = timing.max_age.find(input.channel);
    if (found != timing.max_age.end()) input.max_age = found->second;
    input.on_stale = timing.on_stale.value_or(input.on_stale);
  }
  task.data.extra_releases = timing.extra_releases.value_or(task.data.extra_releases);
  return task;
}

/// The number of a timer's first point on the grid that is not before `now`. `first`: the instant
/// of point 0.
inline std::uint64_t first_point(const Task & task, Time first, Time now) noexcept {
  if (now <= first) return 0;
  return static_cast<std::uint64_t>((now - first + task.period - 1) / task.period);
}

/// Whether the deadline of a task's job can differ from the task's next release.
inline bool has_own_deadline(const Task & task) noexcept {
  return task.deadline != never && !(task.kind == TaskKind::timer && task.deadline == task.period);
}

}  // namespace takt::model
