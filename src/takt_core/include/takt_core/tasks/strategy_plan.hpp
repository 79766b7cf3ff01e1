// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "takt_core/model/scenario.hpp"
#include "takt_core/tasks/callback.hpp"
#include "takt_core/tasks/scheduling_strategy.hpp"

namespace takt::tasks {

/// A node of an executor, as input of plan_strategies().
struct StrategyNode {
  std::shared_ptr<Node> node;
  GivenStrategy strategy;
  std::vector<std::shared_ptr<Callback>> callbacks;
};

/// A scenario, merged from all strategies, for the callbacks there are.
struct PlannedScenario {
  std::string name;
  std::optional<SchedulingPolicy> policy;
  std::map<const Callback *, model::Timing> timings;
  /// A `max_age` in `timings`, with the place where it is written.
  struct Bound {
    const Callback * callback;
    std::string topic;  // resolved
    Duration max_age;
    std::optional<model::OnStale> on_stale;
    std::string where;
  };
  std::vector<Bound> bounds;
};

/// The merged strategies of an executor and its nodes.
struct StrategyPlan {
  std::vector<PlannedScenario> scenarios;  // each name once
  std::string default_scenario;
  /// The topics (resolved names) that scenarios declare callbacks to publish.
  std::map<const Callback *, std::set<std::string>> publishes;
  /// What is wrong, one line each: names of things that do not exist, contradictions. These entries
  /// are left out of the scenarios.
  std::vector<std::string> problems;

  /// The strategies that were merged.
  std::vector<std::shared_ptr<const SchedulingStrategy>> strategies;

  bool empty() const noexcept { return scenarios.empty(); }
};

/// Merges the strategies. The executor's may name tasks of all nodes; a node's those of the nodes
/// it was given to, and it adds to scenarios of the same name. Takes locks of the nodes; allocates.
StrategyPlan plan_strategies(const GivenStrategy & executors,
                             const std::vector<StrategyNode> & nodes);

}  // namespace takt::tasks
