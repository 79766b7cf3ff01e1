// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "takt_core/model/scenario.hpp"

namespace takt::model {

/// The result of preparing a setup, to be put into effect: see Scheduler::make_plan().
class Plan {
 public:
  Plan() = default;
  virtual ~Plan() = default;
  Plan(const Plan &) = delete;
  Plan & operator=(const Plan &) = delete;

  /// The number of preemption levels in the scenario with the most; 1 if no policy preempts.
  Level levels = 1;
  /// The number of ranks minus the number of levels, in the scenario in which that is greatest.
  std::size_t merged = 0;
  /// Whether a task has a budget in any scenario.
  bool budgets = false;
  /// The number of tasks that may have a job in the background.
  std::size_t lowerable = 0;
  /// The name of the base scenario's policy, as it runs.
  std::string policy;
};

/// The state of the scheduler at the instant for which a plan is made.
struct Outlook {
  Time now = -never;                    ///< the plan's releases begin after this instant
  ScenarioId scenario = base_scenario;  ///< the active scenario
};

/// A started job that a change of plan has moved from one worker to another.
struct MovedJob {
  Level from = 0;
  Level to = 0;
};

}  // namespace takt::model
