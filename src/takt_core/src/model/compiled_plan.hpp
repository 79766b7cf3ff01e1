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

/// Where point 0 of each task's own grid lies, by number; `never`: it has none. A plan is made while
/// they change.
using Origins = StableArray<std::atomic<Time>, 512>;

static_assert(std::atomic<Time>::is_always_lock_free);

/// Memory for more tasks than before, taken into use without an allocation.
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

/// All that follows from a setup: made without the scheduler's lock, put in force by apply().
struct CompiledPlan : Plan {
  SharedArray<Member> tasks;                ///< by number
  std::vector<Group> groups;                ///< by number
  std::vector<CompiledScenario> scenarios;  ///< the base first
  std::optional<Time> t0;
  std::uint32_t grid = 0;       ///< how many there were before
  std::vector<TaskId> coming;   ///< since the plan before
  std::vector<TaskId> changed;  ///< likewise
  bool new_grid = false;        ///< likewise
  bool new_scenarios = false;   ///< likewise
  bool anew = false;            ///< likewise: `first` holds
  ScenarioId first = base_scenario;
  std::optional<Room> room;
  /// The scenario whose releases are due as they will be after this instant; none: nothing is due.
  ScenarioId aimed = none;

  const Task & task(TaskId id) const noexcept { return tasks[id].planned->task; }
  /// Whether the task's jobs keep others of its group from starting.
  bool exclusive(TaskId id) const noexcept {
    const GroupId group = task(id).group;
    return group != none && groups[group].exclusive;
  }
  /// Which scenario holds after this one did.
  ScenarioId holding_after(ScenarioId before) const noexcept;
  /// Where point 0 of the timer lies in the scenario, `never`: it has none.
  Time origin(const CompiledScenario & scenario, TaskId id, const Origins & origins) const noexcept;
  /// The instant of the timer's first release after `after`; `never`: it has none.
  Time first_release(const CompiledScenario & scenario, TaskId id, const Origins & origins,
                     Time after) const noexcept;
  /// Makes all timers of the scenario due at their first points after `after`. O(n).
  void aim(CompiledScenario & scenario, const Origins & origins, Time after) const noexcept;
};

}  // namespace takt::model
