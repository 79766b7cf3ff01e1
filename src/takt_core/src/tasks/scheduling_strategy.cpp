// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/tasks/scheduling_strategy.hpp"

#include <algorithm>

#include "takt_core/tasks/error.hpp"

namespace takt {
namespace {

bool has(const std::vector<SchedulingScenario> & scenarios, const std::string & name) {
  return std::any_of(scenarios.begin(), scenarios.end(),
                     [&name](const SchedulingScenario & each) { return each.name() == name; });
}

}  // namespace

void SchedulingStrategy::add_scenario(const SchedulingScenario & scenario) {
  if (has(scenarios_, scenario.name())) {
    throw Error("the strategy has a scenario '" + scenario.name() + "' already");
  }
  scenarios_.push_back(scenario);
}

void SchedulingStrategy::add_scenario(const std::shared_ptr<SchedulingScenario> & scenario) {
  if (scenario == nullptr) throw Error("add_scenario(): the scenario is nullptr");
  add_scenario(*scenario);
}

namespace tasks {

bool GivenStrategy::is(const GivenStrategy & other) const noexcept {
  return original == other.original ||
         (content != nullptr && other.content != nullptr && !content->source().empty() &&
          content->source() == other.content->source());
}

GivenStrategy given(const SchedulingStrategy::SharedPtr & strategy) {
  if (strategy == nullptr) return {};
  const std::string what =
      strategy->source().empty() ? "the strategy" : "the strategy of " + strategy->source();
  if (strategy->scenarios().empty()) throw Error(what + " has no scenario");
  const std::string & first = strategy->default_scenario();
  if (!first.empty() && !has(strategy->scenarios(), first)) {
    throw Error(what + " has no scenario '" + first + "', which is to be its default");
  }
  return {strategy, std::make_shared<const SchedulingStrategy>(*strategy)};
}

}  // namespace tasks
}  // namespace takt
