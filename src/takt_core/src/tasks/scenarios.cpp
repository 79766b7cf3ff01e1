// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/tasks/scenarios.hpp"

#include <algorithm>
#include <utility>

namespace takt::tasks {
namespace {

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

Scenarios::Next Scenarios::next(const StrategyPlan & plan) const {
  Next next;
  next.plan = &plan;
  for (const PlannedScenario & each : plan.scenarios) next.names.push_back(each.name);
  for (const std::string & name : table_.numbered(next.names)) {
    // A request for a scenario that no longer exists activates the default one.
    const std::string & meant = name.empty() ? plan.default_scenario : name;
    const auto planned =
        std::find_if(plan.scenarios.begin(), plan.scenarios.end(),
                     [&meant](const PlannedScenario & each) { return each.name == meant; });
    next.scenarios.push_back(planned != plan.scenarios.end() ? &*planned : nullptr);
    if (!name.empty() && name == plan.default_scenario) {
      next.first = static_cast<model::ScenarioId>(next.scenarios.size());
    }
  }
  next.activate_first = default_ != plan.default_scenario && !processors_.spinning();
  const bool any = given_ || !next.scenarios.empty();
  next.other = any && strategies_ != plan.strategies;
  return next;
}

Scenarios::Part Scenarios::part_of(const Next & next, const TaskNumbers & numbers) const {
  Part part;
  for (const PlannedScenario * planned : next.scenarios) {
    part.push_back(planned != nullptr ? scenario_of(*planned, numbers) : executor::Scenario{});
  }
  return part;
}

bool Scenarios::due(const Next & next, std::size_t processor, const TaskNumbers & numbers) const {
  return next.other || !processors_[processor].has_timings(part_of(next, numbers));
}

void Scenarios::give(const Next & next, const TaskNumbers & numbers,
                     executor::Changes & changes) const {
  const Part part = part_of(next, numbers);
  // The policies come from the strategies and differ only if these do.
  if (!next.other && changes.has_timings(part)) return;
  changes.set_scenarios(part, next.first, next.activate_first);
}

void Scenarios::given(const Next & next) {
  if (next.scenarios.empty() && !given_) return;
  table_.set(next.names);
  given_ = !next.scenarios.empty();
  default_ = next.plan->default_scenario;
  strategies_ = next.plan->strategies;
  const model::ScenarioId holds = processors_.statistics().scenario;
  if (holds != model::base_scenario && !table_.present(holds)) {
    processors_.request_scenario(next.first);
  }
}

std::int64_t Scenarios::request(std::string_view name) const {
  const model::ScenarioId number = table_.number(name);
  const auto hold = [&](executor::Statistics & longest) {
    bool all = true;
    for (std::size_t i = 0; i < processors_.size(); ++i) {
      const executor::Statistics own = processors_[i].statistics();
      all = all && own.scenario == number;
      longest.last_switch_ns = std::max(longest.last_switch_ns, own.last_switch_ns);
      longest.scenario_switches += own.scenario_switches;
    }
    return all;
  };
  executor::Statistics before;
  executor::Statistics after;
  const bool held = hold(before);
  processors_.request_scenario(number);
  if (!hold(after)) return -1;
  if (held) return 0;
  return after.scenario_switches > before.scenario_switches ? after.last_switch_ns : -1;
}

}  // namespace takt::tasks
