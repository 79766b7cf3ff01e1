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

/// Keeps the scenarios of an executor's processors in line with what strategies come to.
class Scenarios {
 public:
  using TaskNumbers = std::map<const Callback *, model::TaskId>;

  explicit Scenarios(executor::Processors & processors) : processors_(processors) {}

  // ---- one thread at a time, as changes of tasks

  /// Throws std::invalid_argument as a processor, Error for too many names; nothing has changed
  /// then. Throws std::system_error as a processor; others may have changed then, until the next
  /// time. Only processors whose part has changed are asked to change.
  void apply(const StrategyPlan & plan, const TaskNumbers & numbers);
  /// There is no such task any more.
  void forget(model::TaskId task);
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

  executor::Processors & processors_;
  ScenarioTable table_;
  bool given_ = false;
  std::string default_;
  std::vector<std::shared_ptr<const SchedulingStrategy>> strategies_;
  std::vector<Part> sent_;  // by processor; none before the first
};

}  // namespace takt::tasks
