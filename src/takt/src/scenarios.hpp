// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "scenario_table.hpp"
#include "strategy_plan.hpp"
#include "takt_core/executor/processor.hpp"

namespace takt::detail {

/// Keeps the scenarios of a processor in line with what strategies come to.
class Scenarios {
 public:
  using TaskNumbers = std::map<const Callback *, model::TaskId>;

  explicit Scenarios(executor::Processor & processor) : processor_(processor) {}

  // ---- one thread at a time, as changes of the processor's tasks

  /// Throws std::invalid_argument as the processor, Error for too many names; nothing has changed
  /// then.
  void apply(const StrategyPlan & plan, const TaskNumbers & numbers);
  /// The processor has no such task any more.
  void forget(model::TaskId task);
  /// Whether the processor was given none.
  bool empty() const noexcept { return !given_; }

  // ---- any thread

  const ScenarioTable & table() const noexcept { return table_; }
  /// Of the one that holds. Empty before there is one.
  std::string current() const { return table_.name(processor_.statistics().scenario); }
  /// Asks for it and looks; see NodeListener.
  std::int64_t request(std::string_view name) const;

 private:
  executor::Processor & processor_;
  ScenarioTable table_;
  bool given_ = false;
  std::string default_;
  std::vector<std::shared_ptr<const SchedulingStrategy>> strategies_;
  std::vector<std::map<model::TaskId, model::Timing>> sent_;  // by number
};

}  // namespace takt::detail
