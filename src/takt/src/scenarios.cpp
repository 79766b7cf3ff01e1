// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "scenarios.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace takt::detail {
namespace {

using Timings = std::map<model::TaskId, model::Timing>;

bool same(const Timings & a, const Timings & b) {
  const auto values = [](const model::Timing & timing) {
    return std::tie(timing.period, timing.rank_period, timing.phase, timing.deadline,
                    timing.priority, timing.budget, timing.max_age, timing.suspended);
  };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](const auto & x, const auto & y) {
    return x.first == y.first && values(x.second) == values(y.second);
  });
}

executor::Scenario scenario_of(const PlannedScenario & planned,
                               const Scenarios::TaskNumbers & numbers) {
  executor::Scenario scenario;
  if (planned.policy) {
    scenario.policy = planned.policy->name();
    scenario.custom_policy = planned.policy->make();
  }
  for (const auto & [callback, timing] : planned.timings) {
    const auto number = numbers.find(callback);
    if (number != numbers.end()) scenario.timings.emplace(number->second, timing);
  }
  return scenario;
}

}  // namespace

void Scenarios::apply(const StrategyPlan & plan, const TaskNumbers & numbers) {
  std::vector<std::string> names;
  for (const PlannedScenario & each : plan.scenarios) names.push_back(each.name);
  const std::vector<std::string> numbered = table_.numbered(names);

  model::ScenarioId first = model::base_scenario;
  std::vector<executor::Scenario> scenarios;
  std::vector<Timings> timings;
  for (const std::string & name : numbered) {
    // Whoever still asks for one that is gone gets the default.
    const std::string & meant = name.empty() ? plan.default_scenario : name;
    const auto planned =
        std::find_if(plan.scenarios.begin(), plan.scenarios.end(),
                     [&meant](const PlannedScenario & each) { return each.name == meant; });
    const bool found = planned != plan.scenarios.end();
    scenarios.push_back(found ? scenario_of(*planned, numbers) : executor::Scenario{});
    timings.push_back(scenarios.back().timings);
    if (!name.empty() && name == plan.default_scenario) {
      first = static_cast<model::ScenarioId>(scenarios.size());
    }
  }
  if (strategies_ == plan.strategies &&
      std::equal(sent_.begin(), sent_.end(), timings.begin(), timings.end(), same)) {
    return;
  }
  // Should the processor refuse them, the next ones are not taken for the same.
  const std::string old_default = std::exchange(default_, "");
  strategies_.clear();
  sent_.clear();
  given_ = true;
  // Before it spins, what holds is what is to hold at the start.
  if (old_default != plan.default_scenario && !processor_.spinning()) processor_.set_scenarios({});
  processor_.set_scenarios(std::move(scenarios), first);
  table_.set(names);
  given_ = !numbered.empty();
  default_ = plan.default_scenario;
  strategies_ = plan.strategies;
  sent_ = std::move(timings);
  const model::ScenarioId holds = processor_.statistics().scenario;
  if (holds != model::base_scenario && !table_.present(holds)) processor_.request_scenario(first);
}

void Scenarios::forget(model::TaskId task) {
  for (Timings & timings : sent_) timings.erase(task);
}

std::int64_t Scenarios::request(std::string_view name) const {
  const model::ScenarioId number = table_.number(name);
  const executor::Statistics before = processor_.statistics();
  processor_.request_scenario(number);
  const executor::Statistics after = processor_.statistics();
  if (before.scenario == number && after.scenario == number) return 0;
  const bool switched = after.scenario_switches > before.scenario_switches;
  return switched && after.scenario == number ? after.last_switch_ns : -1;
}

}  // namespace takt::detail
