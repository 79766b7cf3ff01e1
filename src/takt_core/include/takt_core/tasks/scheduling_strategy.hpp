// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "takt_core/tasks/scheduling_scenario.hpp"

namespace takt {

/// A set of scenarios, one of which is active at the start. It is given to an executor, or to
/// nodes; in the latter case it may name only tasks of these nodes. It is copied when given: a
/// later change takes effect when it is given again. Members that change it allocate and throw
/// Error; one thread at a time.
class SchedulingStrategy {
 public:
  using SharedPtr = std::shared_ptr<SchedulingStrategy>;

  /// `source`: the file that the strategy was read from. Strategies from the same file count as the
  /// same one.
  explicit SchedulingStrategy(std::string source = {}) : source_(std::move(source)) {}

  /// Adds a copy of the scenario. Throws Error if there is one of that name.
  void add_scenario(const SchedulingScenario & scenario);
  void add_scenario(const std::shared_ptr<SchedulingScenario> & scenario);
  /// Sets the scenario that is active at the start; it may be added later.
  void set_default_scenario(std::string name) { default_scenario_ = std::move(name); }

  const std::vector<SchedulingScenario> & scenarios() const noexcept { return scenarios_; }
  /// Empty if none was set.
  const std::string & default_scenario() const noexcept { return default_scenario_; }
  const std::string & source() const noexcept { return source_; }

 private:
  std::string source_;
  std::vector<SchedulingScenario> scenarios_;
  std::string default_scenario_;
};

/// Reads a strategy from a YAML file; docs/reference/strategy.md describes the format. Throws Error
/// with file, line and key. Allocates; blocks to read the file.
SchedulingStrategy::SharedPtr load_strategy(const std::string & path);

namespace tasks {

/// A copy of a strategy as it was when given, with the object it was copied from.
struct GivenStrategy {
  SchedulingStrategy::SharedPtr original;
  std::shared_ptr<const SchedulingStrategy> content;

  explicit operator bool() const noexcept { return content != nullptr; }
  /// Whether both are the same strategy, given to several nodes or executors.
  bool is(const GivenStrategy & other) const noexcept;
};

/// The strategy as given. Throws Error if it is invalid whatever tasks there are. nullptr: none.
/// Allocates.
GivenStrategy given(const SchedulingStrategy::SharedPtr & strategy);

}  // namespace tasks
}  // namespace takt
