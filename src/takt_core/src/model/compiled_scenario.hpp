// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "levels.hpp"
#include "release_queue.hpp"
#include "takt_core/model/policy.hpp"
#include "takt_core/model/task.hpp"

namespace takt::model {

/// A scenario prepared for the tasks of a plan, so that a switch need not allocate.
struct CompiledScenario {
  /// A task's parameters in the scenario.
  struct Place {
    Level level = 1;
    /// The ceiling of its group if that is exclusive, otherwise its own level.
    Level ceiling = 1;
    /// Its source in `releases`, if it has a grid or a minimum interval.
    std::uint32_t source = none;
    bool suspended = false;
  };

  /// An input of a task with a `max_age`.
  struct AgedInput {
    const Newest * newest;
    Duration max_age;
    OnStale on_stale;
    std::vector<TaskId> producers;
    std::uint64_t refreshed_for = 0;  ///< the index + 1 of the last job it was refreshed for
  };

  std::shared_ptr<Policy> policy;
  const Policy::Before * before = nullptr;     ///< the policy's comparator, if it has one
  bool ranks_tasks = false;                    ///< as the policy says
  bool preempts = false;                       ///< as the policy says
  std::vector<std::unique_ptr<Task>> timed;    ///< the tasks that the scenario changes
  std::vector<const Task *> tasks;             ///< indexed by task; the tasks in the scenario;
                                               ///< nullptr: there is none
  std::vector<Place> places;                   ///< indexed by task
  std::vector<std::vector<AgedInput>> inputs;  ///< indexed by task; empty if no age is bounded
  std::vector<Level> ceilings;                 ///< indexed by group; 0 without members
  Levels levels;
  ReleaseQueue releases;

  bool aged(TaskId task) const noexcept { return !inputs.empty() && !inputs[task].empty(); }
};

}  // namespace takt::model
