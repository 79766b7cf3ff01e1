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

/// A node of an executor as strategies see it.
struct StrategyNode {
  std::shared_ptr<Node> node;
  GivenStrategy strategy;
  std::vector<std::shared_ptr<Callback>> callbacks;
};

/// A scenario of all strategies together, for the callbacks there are.
struct PlannedScenario {
  std::string name;
  std::optional<SchedulingPolicy> policy;
  std::map<const Callback *, model::Timing> timings;
  /// The ages in `timings`, and where each is written.
  struct Bound {
    const Callback * callback;
    std::string topic;  // resolved
    Duration max_age;
    std::optional<model::OnStale> on_stale;
    std::string where;
  };
  std::vector<Bound> bounds;
};

/// What the strategy of an executor and those of its nodes come to.
struct StrategyPlan {
  std::vector<PlannedScenario> scenarios;  // each name once
  std::string default_scenario;
  /// The topics (resolved) that scenarios say callbacks publish.
  std::map<const Callback *, std::set<std::string>> publishes;
  /// What is wrong, one line each: what names nothing there is, what contradicts another. It is left
  /// out of the scenarios.
  std::vector<std::string> problems;

  /// What it was made of.
  std::vector<std::shared_ptr<const SchedulingStrategy>> strategies;

  bool empty() const noexcept { return scenarios.empty(); }
};

/// The executor's strategy names tasks of all nodes; a node's, those of the nodes it was given to,
/// and it adds to the scenarios of the same name. Looks at nodes: takes their locks, allocates.
StrategyPlan plan_strategies(const GivenStrategy & executors,
                             const std::vector<StrategyNode> & nodes);

}  // namespace takt::tasks
