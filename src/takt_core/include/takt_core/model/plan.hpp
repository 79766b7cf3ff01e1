// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "takt_core/model/scenario.hpp"

namespace takt::model {

/// What a setup comes to, ready to be put in force: see Scheduler::make_plan().
class Plan {
 public:
  Plan() = default;
  virtual ~Plan() = default;
  Plan(const Plan &) = delete;
  Plan & operator=(const Plan &) = delete;

  Level levels = 1;           ///< of the scenario that has the most, 1 if none preempts
  std::size_t merged = 0;     ///< how many ranks lost a level of their own, where most did
  bool budgets = false;       ///< of a task in any scenario
  std::size_t lowerable = 0;  ///< tasks that may have a job in the background
  std::string policy;         ///< the base's, as it runs
};

/// What a plan needs to know of the scheduler that it is for, as of one instant.
struct Outlook {
  Time now = -never;                    ///< all releases until then have been made
  ScenarioId scenario = base_scenario;  ///< that holds
};

/// A started job that an exchange of the plan has moved from one worker to another.
struct MovedJob {
  Level from = 0;
  Level to = 0;
};

}  // namespace takt::model
