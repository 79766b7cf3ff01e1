// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "takt_core/model/local_scheduler.hpp"

namespace takt::model {

/// A job as it ran in virtual time.
struct SimulatedJob {
  Job job;
  Time start = never;    ///< `never` if it had not started at the end
  Time finish = never;   ///< `never` if it had not finished at the end
  bool skipped = false;  ///< as an overrun
  Time lowered = never;  ///< when it went on in the background; `never` if it did not
  std::uint32_t preemptions = 0;
};

/// An interval in which one job had the processor.
struct Slice {
  TaskId task = none;
  std::uint64_t index = 0;
  Time from = 0;
  Time to = 0;
};

/// A release of a task that is not a timer.
struct Arrival {
  Time at = 0;
  TaskId task = none;
};

/// A request for a scenario.
struct Switch {
  Time at = 0;
  ScenarioId scenario = base_scenario;
};

/// The parameters of a simulation; instants and lengths in ns.
struct SimulationOptions {
  Time end = 0;  ///< the simulation covers [t0, end); must be above t0
  /// The releases of tasks that are not timers, in order of time.
  std::vector<Arrival> arrivals = {};
  /// Scenario requests in order of time. At the same instant they come after the releases.
  std::vector<Switch> switches = {};
  /// Intervals in which no job runs, such as stalls of the host: sorted, disjoint.
  std::vector<std::pair<Time, Time>> stalls = {};
  /// Whether the result contains `slices`.
  bool keep_slices = false;
};

/// The result of a simulation.
struct SimulationResult {
  std::vector<SimulatedJob> jobs;  ///< ordered by release, then task, then index
  std::vector<Slice> slices;
  std::vector<Miss> misses;
  std::vector<Exhaustion> exhaustions;
};

/// Runs a scheduler in virtual time on one processor, from t0 of its grid (0 if the grid has not
/// been started). The started job of the highest level runs; if there is none, the job that has
/// been in the background longest. Events of the same instant are processed in this order: finish
/// (which publishes to the task's outputs), arrivals, timers, budget, switch, decision.
/// `execution(task, index)` returns the job's execution time in ns, at least 0. Uses the
/// scheduler's release observer. Allocates; throws std::invalid_argument.
SimulationResult simulate(LocalScheduler & scheduler,
                          const std::function<Duration(TaskId, std::uint64_t)> & execution,
                          const SimulationOptions & options);

}  // namespace takt::model
