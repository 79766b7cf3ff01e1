// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "takt_core/executor/processors.hpp"
#include "takt_core/tasks/scenario_table.hpp"
#include "takt_core/tasks/strategy_plan.hpp"

namespace takt::tasks {

/// Keeps the scenarios of an executor's processors in line with what strategies come to.
class Scenarios {
 public:
  using TaskNumbers = std::map<const Callback *, executor::TaskId>;

  explicit Scenarios(executor::Processors & processors)
      : processors_(processors), sent_(processors.size()) {}

  // ---- one thread at a time, as changes of tasks

  /// What processors are to have. Throws Error for too many names.
  class Next;
  Next next(const StrategyPlan & plan) const;
  /// Gives a processor its part, if that is not what it has, with the change that is being made there;
  /// `numbers`: of its tasks, as they will be. Throws std::invalid_argument as a processor.
  void give(const Next & next, std::size_t processor, const TaskNumbers & numbers,
            executor::Changes & changes);
  /// Whether a processor is to be given something although none of its tasks changes.
  bool due(const Next & next, std::size_t processor, const TaskNumbers & numbers) const;
  /// All processors have what they were given.
  void given(const Next & next);
  /// There is no such task any more.
  void forget(executor::TaskId task);
  /// Whether the processors were given none.
  bool empty() const noexcept { return !given_; }

  // ---- any thread

  const ScenarioTable & table() const noexcept { return table_; }
  /// Of the one that holds. Empty before there is one.
  std::string current() const { return table_.name(processors_.statistics().scenario); }
  /// Asks for it and looks; see Listener.
  std::int64_t request(std::string_view name) const;

 private:
  using Part = std::vector<executor::Scenario>;  // by number
  Part part_of(const Next & next, const TaskNumbers & numbers) const;

  executor::Processors & processors_;
  ScenarioTable table_;
  bool given_ = false;
  std::string default_;
  std::vector<std::shared_ptr<const SchedulingStrategy>> strategies_;
  std::vector<std::optional<Part>> sent_;  // by processor; none before the first
};

/// Of a plan, which must live as long as this.
class Scenarios::Next {
 private:
  friend class Scenarios;
  const StrategyPlan * plan = nullptr;
  std::vector<std::string> names;
  std::vector<const PlannedScenario *> scenarios;  // by number; nullptr: none
  model::ScenarioId first = model::base_scenario;
  bool anew = false;   // what holds is what is to hold at the start
  bool other = false;  // strategies than those that were sent
};

}  // namespace takt::tasks
