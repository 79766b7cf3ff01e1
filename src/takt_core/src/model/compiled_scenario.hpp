// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "levels.hpp"
#include "release_queue.hpp"
#include "takt_core/model/policy.hpp"
#include "takt_core/model/task.hpp"

namespace takt::model {

/// A scenario compiled for the tasks of a plan, so that a switch has nothing to compute that
/// allocates.
struct CompiledScenario {
  /// A task's place in the scenario.
  struct Place {
    Level level = 1;
    Level ceiling = 1;  ///< of its group if that is exclusive, else its own level
    std::uint32_t source =
        none;  ///< in `releases`, if it has releases on a grid or a minimum interval
    bool suspended = false;
  };

  /// An input of a task whose age matters.
  struct AgedInput {
    const Newest * newest;
    Duration max_age;
    OnStale on_stale;
    std::vector<TaskId> producers;
    std::uint64_t refreshed_for = 0;  ///< the index + 1 of the last job it was refreshed for
  };

  std::shared_ptr<Policy> policy;
  const Policy::Before * before = nullptr;   ///< the policy's comparator, if it has one
  bool ranks_tasks = false;                  ///< the policy says so
  bool preempts = false;                     ///< likewise
  std::vector<std::unique_ptr<Task>> timed;  ///< those that it changes
  std::vector<const Task *> tasks;           ///< by number, with its timing; nullptr: there is none
  std::vector<Place> places;                 ///< by number
  std::vector<std::vector<AgedInput>> inputs;  ///< by number; empty if no age matters
  std::vector<Level> ceilings;                 ///< by group; 0 without members
  Levels levels;
  ReleaseQueue releases;

  bool aged(TaskId task) const noexcept { return !inputs.empty() && !inputs[task].empty(); }
};

}  // namespace takt::model
