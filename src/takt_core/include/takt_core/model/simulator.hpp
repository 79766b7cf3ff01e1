// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "takt_core/model/local_scheduler.hpp"

namespace takt::model {

/// One job as it went in virtual time.
struct SimulatedJob {
  Job job;
  Time start = never;    ///< `never` if it had not started at the end
  Time finish = never;   ///< `never` if it had not finished at the end
  bool skipped = false;  ///< an overrun shed it
  Time lowered = never;  ///< since when it went on in the background; `never` if it did not
  std::uint32_t preemptions = 0;
};

/// A stretch of time in which one job had the processor.
struct Slice {
  TaskId task = none;
  std::uint64_t index = 0;
  Time from = 0;
  Time to = 0;
};

/// The release of a task that is not a timer.
struct Arrival {
  Time at = 0;
  TaskId task = none;
};

/// A scenario is asked for.
struct Switch {
  Time at = 0;
  ScenarioId scenario = base_scenario;
};

struct SimulationOptions {
  Time end = 0;  ///< the simulation covers [t0, end); above t0
  /// Releases of tasks that are not timers, in order of time.
  std::vector<Arrival> arrivals = {};
  /// In order of time. Of what happens at one instant it comes after the releases.
  std::vector<Switch> switches = {};
  /// A host stall or other demand that stops everything: intervals, sorted, disjoint.
  std::vector<std::pair<Time, Time>> stalls = {};
  bool keep_slices = false;
};

struct SimulationResult {
  std::vector<SimulatedJob> jobs;  ///< in order of release, then task, then index
  std::vector<Slice> slices;
  std::vector<Miss> misses;
  std::vector<Exhaustion> exhaustions;
};

/// Drives a scheduler in virtual time on one processor, from t0 of its grid (which starts at 0 if
/// it has not been started): the started job of the highest level runs, and if there is none, of the
/// jobs in the background the one that has been there longest. What happens at one instant goes in
/// this order: finish (which publishes to the task's outputs), arrivals, timers, budget, switch,
/// decision. `execution(task, index)` is the job's execution time, >= 0. Uses the scheduler's
/// release observer. Allocates; throws std::invalid_argument.
SimulationResult simulate(LocalScheduler & scheduler,
                          const std::function<Duration(TaskId, std::uint64_t)> & execution,
                          const SimulationOptions & options);

}  // namespace takt::model
