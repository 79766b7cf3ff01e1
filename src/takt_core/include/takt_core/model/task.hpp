// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "takt_core/model/input.hpp"
#include "takt_core/model/types.hpp"

namespace takt::model {

/// What releases a task. The order is that in which ROS 2's stock executor serves the kinds.
enum class TaskKind : std::uint8_t { timer, subscription, service, client, other };
/// The kind's name, as in traces and messages. Does not allocate.
const char * to_string(TaskKind kind) noexcept;

/// The range of fixed priorities: higher is more urgent, as in Linux.
inline constexpr int lowest_priority = 1;
inline constexpr int highest_priority = 98;

/// The greatest `queue` of a task.
inline constexpr std::uint32_t longest_queue = 65535;

/// What to do with a job that has used up its budget of CPU time and has not finished.
enum class OnBudget : std::uint8_t {
  report,  ///< report it; it goes on as before
  /// Report it, and let it go on only while nothing else on the processor has anything to do, so
  /// that jobs of its level and below may start. The next release of its task finds it unfinished,
  /// which is an overrun.
  background,
};

/// A callback with its timing. Lengths of time are in ns, at most 2^60 ns (36 years).
struct Task {
  /// `node/name`, for display; need not be unique here.
  std::string id;
  TaskKind kind = TaskKind::timer;
  /// Timer: the period, above 0. Others: the minimum interval between releases, 0 for none; an
  /// earlier release is delayed until that has passed.
  Duration period = 0;
  /// For tasks that are no timers and have no minimum interval: the period by which `rm` ranks
  /// them; at least 0, 0 for the lowest rank. It is not enforced.
  Duration rank_period = 0;
  /// Timer: the first release is at t0 + phase; at least 0. Others: unused.
  Duration phase = 0;
  /// Timer: whether it has a grid of its own instead of the scheduler's. Scheduler::restart() sets
  /// its next release (there is none before), and others follow every period. `phase` is unused. If
  /// a scenario gives it a phase, it follows the scheduler's grid while it is not stopped.
  bool own_grid = false;
  /// The relative deadline, above 0; `never` for none. Timer: may exceed the period only if queue >
  /// 0.
  Duration deadline = never;
  /// The fixed priority, 1 to 98, higher is more urgent; used by `fp` and `np-fp`.
  int priority = lowest_priority;
  /// Overruns: how many further jobs may be queued while one has not finished. 0: they are skipped.
  /// Jobs of a task run in order of release.
  std::uint32_t queue = 0;
  /// The CPU time that a job may use, above 0; `never` for no limit.
  Duration budget = never;
  /// `background` is allowed only if the task is alone in its exclusive group: another task of the
  /// group would have to wait for a job in the background.
  OnBudget on_budget = OnBudget::report;
  /// The group whose members exclude each other, unless the group is reentrant.
  GroupId group = none;
  DataFlow data = {};
};

/// A set of callbacks. `exclusive`: at most one job of the group is started at a time.
struct Group {
  bool exclusive = true;
};

}  // namespace takt::model
