// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "compiled_scenario.hpp"
#include "deadline_watch.hpp"
#include "ready_queue.hpp"
#include "takt_core/model/scheduler.hpp"
#include "takt_core/model/setup.hpp"
#include "takt_core/model/stable_array.hpp"

namespace takt::model {

/// The instant of point 0 of each task's own grid, indexed by task; `never`: it has none. They may
/// change while a plan is made.
using Origins = StableArray<std::atomic<Time>, 512>;

static_assert(std::atomic<Time>::is_always_lock_free);

/// Memory for more tasks, allocated in advance so that apply() need not allocate.
struct Room {
  ReadyQueue ready;
  std::vector<DeadlineWatch::Entry> deadlines;
  std::vector<Miss> misses;
  std::vector<Overrun> overruns;
  std::vector<Exhaustion> exhaustions;
  std::vector<TaskId> delayed;
  std::vector<TaskId> held;
  std::vector<TaskId> lowered;
  std::vector<TaskId> restarted;
  std::vector<TaskId> entering;
};

/// All data derived from a setup: made without the scheduler's lock, put into effect by apply().
struct CompiledPlan : Plan {
  SharedArray<Member> tasks;                ///< indexed by task
  std::vector<Group> groups;                ///< indexed by group
  std::vector<CompiledScenario> scenarios;  ///< the base first
  std::optional<Time> t0;
  std::uint32_t grid = 0;       ///< the number of earlier grids
  std::vector<TaskId> coming;   ///< tasks added since the plan before
  std::vector<TaskId> changed;  ///< tasks changed since then
  bool new_grid = false;        ///< a grid has begun since then
  bool new_scenarios = false;   ///< scenarios were replaced since then
  bool activate_first = false;  ///< `first` becomes active
  ScenarioId first = base_scenario;
  std::optional<Room> room;
  /// The scenario whose releases are due as they will be after this instant; `none`: nothing is
  /// due.
  ScenarioId aimed = none;

  const Task & task(TaskId id) const noexcept { return tasks[id].planned->task; }
  /// Whether the task's jobs keep other jobs of its group from starting.
  bool exclusive(TaskId id) const noexcept {
    const GroupId group = task(id).group;
    return group != none && groups[group].exclusive;
  }
  /// The scenario that becomes active if `before` was.
  ScenarioId holding_after(ScenarioId before) const noexcept;
  /// The instant of the timer's point 0 in the scenario; `never`: it has none.
  Time origin(const CompiledScenario & scenario, TaskId id, const Origins & origins) const noexcept;
  /// The timer's first release after `after`; `never`: it has none.
  Time first_release(const CompiledScenario & scenario, TaskId id, const Origins & origins,
                     Time after) const noexcept;
  /// Sets the next release of all timers of the scenario to their first points after `after`. O(n).
  void aim(CompiledScenario & scenario, const Origins & origins, Time after) const noexcept;
};

}  // namespace takt::model
