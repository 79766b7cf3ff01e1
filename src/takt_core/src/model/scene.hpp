// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "levels.hpp"
#include "release_queue.hpp"
#include "takt_core/model/scenario.hpp"

namespace takt::model {

/// A scenario and what follows from it for the present tasks, made by commit(), so that a switch
/// has nothing to compute that allocates.
struct Scene {
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

  Scenario scenario;

  Policy * policy = nullptr;
  const Policy::Before * before = nullptr;     ///< the policy's comparator, if it has one
  bool ranks_tasks = false;                    ///< the policy says so
  bool preempts = false;                       ///< likewise
  std::vector<Task> tasks;                     ///< with the scenario's timing
  std::vector<Place> places;                   ///< by task
  std::vector<std::vector<AgedInput>> inputs;  ///< by task
  std::vector<Level> ceilings;                 ///< by group; 0 without members
  Levels levels;
  ReleaseQueue releases;
};

}  // namespace takt::model
