// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "takt_core/tasks/scheduling_scenario.hpp"

namespace takt {

/// Scenarios, one of which holds at the start. Given to an executor, or to nodes, where it names
/// only tasks of the nodes it was given to: it is read then, and what changes in it later counts
/// when it is given again. Members that change it allocate and throw Error; one thread at a time.
class SchedulingStrategy {
 public:
  using SharedPtr = std::shared_ptr<SchedulingStrategy>;

  /// `source`: the file it comes from. Strategies of one file are taken for one.
  explicit SchedulingStrategy(std::string source = {}) : source_(std::move(source)) {}

  /// Copied: what changes in the scenario later does not count. Throws Error if there is one of
  /// that name.
  void add_scenario(const SchedulingScenario & scenario);
  void add_scenario(const std::shared_ptr<SchedulingScenario> & scenario);
  /// It may be added later.
  void set_default_scenario(std::string name) { default_scenario_ = std::move(name); }

  const std::vector<SchedulingScenario> & scenarios() const noexcept { return scenarios_; }
  /// Empty: none was set.
  const std::string & default_scenario() const noexcept { return default_scenario_; }
  const std::string & source() const noexcept { return source_; }

 private:
  std::string source_;
  std::vector<SchedulingScenario> scenarios_;
  std::string default_scenario_;
};

/// Reads a strategy from a YAML file; docs/reference/strategy.md gives the format. Throws Error
/// with file, line and key.
SchedulingStrategy::SharedPtr load_strategy(const std::string & path);

namespace tasks {

/// A strategy as it was when it was given, and the object that it was then.
struct GivenStrategy {
  SchedulingStrategy::SharedPtr original;
  std::shared_ptr<const SchedulingStrategy> content;

  explicit operator bool() const noexcept { return content != nullptr; }
  /// Whether the two are one strategy, given to several.
  bool is(const GivenStrategy & other) const noexcept;
};

/// Throws Error for one that cannot hold, whichever tasks there are. nullptr: none.
GivenStrategy given(const SchedulingStrategy::SharedPtr & strategy);

}  // namespace tasks
}  // namespace takt
