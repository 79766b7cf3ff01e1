// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "takt_core/model/input.hpp"
#include "takt_core/tasks/callback.hpp"
#include "takt_core/tasks/duration.hpp"
#include "takt_core/tasks/strategy_plan.hpp"

namespace takt::tasks {

/// The topic (resolved) as the scheduler knows it, among those of the callback's context.
model::ChannelId channel_of(const Callback & callback, const std::string & topic);

/// Which callbacks read and publish the topics whose age matters: those with a `max_age`, be it the
/// timer's that reads them or a scenario's.
struct DataPlan {
  /// A reader with a `max_age` and who publishes what it reads: on one processor, the one has it
  /// refreshed by the other.
  struct Pair {
    const Callback * reader = nullptr;
    const Callback * producer = nullptr;
    bool required = false;  ///< nothing else was given for data that is too old
  };

  /// Empty if no age matters.
  std::map<const Callback *, model::DataFlow> flows;
  std::vector<Pair> pairs;
  /// What is wrong, one line each, of timers and of scenarios.
  std::vector<std::string> problems;
  std::vector<std::string> scenario_problems;
};

/// `margin`: the executor's. Has the age of what is read watched. Looks at nodes: takes their locks,
/// allocates.
DataPlan plan_data(const std::vector<StrategyNode> & nodes, const StrategyPlan & strategies,
                   Duration margin);

}  // namespace takt::tasks
