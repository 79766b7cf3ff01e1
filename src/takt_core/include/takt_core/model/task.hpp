// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "takt_core/model/input.hpp"
#include "takt_core/model/types.hpp"

namespace takt::model {

/// What releases a task. The order is that in which the stock executor serves kinds.
enum class TaskKind : std::uint8_t { timer, subscription, service, client, other };
/// As in traces and messages.
const char * to_string(TaskKind kind) noexcept;

/// Fixed priorities as in Linux: higher is more urgent.
inline constexpr int lowest_priority = 1;
inline constexpr int highest_priority = 98;

/// The longest `queue` of a task.
inline constexpr std::uint32_t longest_queue = 65535;

/// What becomes of a job that has used up its budget of CPU time and is not done.
enum class OnBudget : std::uint8_t {
  report,  ///< it is told; it goes on as before
  /// It is told and goes on when nothing else of the processor has anything to do; others of its
  /// level and below may start. The next release of its task finds it unfinished: an overrun.
  background,
};

/// A callback together with its timing. Lengths of time are at most 2^60 ns (36 years).
struct Task {
  /// `node/name`, for people; need not be unique here.
  std::string id;
  TaskKind kind = TaskKind::timer;
  /// Timer: the period, above 0. Others: the minimum interval between releases, 0 for none; an
  /// earlier release is delayed until it has passed.
  Duration period = 0;
  /// What `rm` ranks a task by that is not a timer and has no minimum interval, as if it were its
  /// period; at least 0, 0 for last. Nothing enforces it.
  Duration rank_period = 0;
  /// Timer: the first release is at t0 + phase; 0 <= phase. Others: unused.
  Duration phase = 0;
  /// Timer: its releases do not lie on the scheduler's grid. Scheduler::restart() says when the next
  /// one is, and there is none before; the others follow by its period. `phase` is unused. Where a
  /// scenario gives it a phase, it lies on the scheduler's grid while it is not stopped.
  bool own_grid = false;
  /// Relative deadline, above 0; `never` for none. Timer: above the period only with queue > 0.
  Duration deadline = never;
  /// 1 to 98, higher is more urgent; used by `fp` and `np-fp`.
  int priority = lowest_priority;
  /// Overrun: how many further jobs may wait while one is unfinished. 0 is `skip`. A task's own
  /// jobs run in order of release.
  std::uint32_t queue = 0;
  /// CPU time that a job may use, above 0; `never` for as much as it needs.
  Duration budget = never;
  /// `background` only where no other task is in its exclusive group: it would wait for what runs in
  /// the background.
  OnBudget on_budget = OnBudget::report;
  /// The group whose members exclude each other (or not, if it is reentrant).
  GroupId group = none;
  DataFlow data = {};
};

/// A set of callbacks. `exclusive`: at most one of its jobs is started at a time.
struct Group {
  bool exclusive = true;
};

}  // namespace takt::model
