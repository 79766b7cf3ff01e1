// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "takt_core/executor/processors.hpp"
#include "takt_core/tasks/scenario_table.hpp"
#include "takt_core/tasks/strategy_plan.hpp"

namespace takt::tasks {

/// Keeps the scenarios of an executor's processors in agreement with the strategies.
class Scenarios {
 public:
  using TaskNumbers = std::map<const Callback *, executor::TaskId>;

  explicit Scenarios(executor::Processors & processors) : processors_(processors) {}

  // ---- for one thread at a time: the one that is changing tasks

  /// The scenarios that the processors are to have. next() throws Error for too many names.
  class Next;
  Next next(const StrategyPlan & plan) const;
  /// Adds the scenarios, with the timings of the processor's tasks, to a change of that processor,
  /// unless it has them already. `numbers`: its tasks, as they will be. Throws
  /// std::invalid_argument as the processor does.
  void give(const Next & next, const TaskNumbers & numbers, executor::Changes & changes) const;
  /// Whether the processor's scenarios must be replaced although none of its tasks changes.
  bool due(const Next & next, std::size_t processor, const TaskNumbers & numbers) const;
  /// To be called when all processors have been given these scenarios.
  void given(const Next & next);
  /// Whether the processors have no scenarios.
  bool empty() const noexcept { return !given_; }

  // ---- any thread

  const ScenarioTable & table() const noexcept { return table_; }
  /// The name of the active scenario; empty if there is none. Allocates.
  std::string current() const { return table_.name(processors_.statistics().scenario); }
  /// Requests a scenario and returns the time from the request to its effect, in ns; see
  /// Listener::request_scenario().
  std::int64_t request(std::string_view name) const;

 private:
  using Part = std::vector<executor::Scenario>;  // indexed by number
  Part part_of(const Next & next, const TaskNumbers & numbers) const;

  executor::Processors & processors_;
  ScenarioTable table_;
  bool given_ = false;
  std::string default_;
  std::vector<std::shared_ptr<const SchedulingStrategy>> strategies_;
};

/// The scenarios of a plan, which must outlive this object.
class Scenarios::Next {
 private:
  friend class Scenarios;
  const StrategyPlan * plan = nullptr;
  std::vector<std::string> names;
  std::vector<const PlannedScenario *> scenarios;  // indexed by number; nullptr: none
  model::ScenarioId first = model::base_scenario;
  bool activate_first = false;  // the default scenario becomes active in any case
  bool other = false;           // the strategies differ from those last given
};

}  // namespace takt::tasks
