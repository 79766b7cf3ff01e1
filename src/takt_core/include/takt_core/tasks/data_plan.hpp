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

/// The scheduler's number of a topic (resolved name) in the context of the callback. Allocates.
model::ChannelId channel_of(const Callback & callback, const std::string & topic);

/// Which callbacks read and publish the topics whose age is bounded, by a `max_age` of the reading
/// timer or of a scenario.
struct DataPlan {
  /// A reader with a `max_age` and a producer of the topic. On one processor, the producer can
  /// refresh the data for the reader.
  struct Pair {
    const Callback * reader = nullptr;
    const Callback * producer = nullptr;
    bool required = false;  ///< must be on one processor, because `on_stale` was not given
  };

  /// The data flow of each callback; empty if no age is bounded.
  std::map<const Callback *, model::DataFlow> flows;
  std::vector<Pair> pairs;
  /// What is wrong, one line each: of timers, and of scenarios.
  std::vector<std::string> problems;
  std::vector<std::string> scenario_problems;
};

/// Makes the plan. `margin`: the executor's `age_margin`. Starts to watch the age of the topics
/// read. Takes locks of the nodes; allocates.
DataPlan plan_data(const std::vector<StrategyNode> & nodes, const StrategyPlan & strategies,
                   Duration margin);

}  // namespace takt::tasks
