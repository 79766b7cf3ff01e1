// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/tasks/scenarios.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace takt::tasks {
namespace {

using Timings = std::map<model::TaskId, model::Timing>;

bool same(const Timings & a, const Timings & b) {
  const auto values = [](const model::Timing & timing) {
    return std::tie(timing.period, timing.rank_period, timing.phase, timing.deadline,
                    timing.priority, timing.budget, timing.max_age, timing.on_stale,
                    timing.extra_releases, timing.suspended);
  };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](const auto & x, const auto & y) {
    return x.first == y.first && values(x.second) == values(y.second);
  });
}

/// Policies are the strategies' and do not differ where those do not.
bool same(const std::vector<executor::Scenario> & a, const std::vector<executor::Scenario> & b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const auto & x, const auto & y) { return same(x.timings, y.timings); });
}

/// What of scenarios concerns the tasks of one processor.
std::vector<executor::Scenario> part_of(std::vector<executor::Scenario> scenarios,
                                        std::size_t processor) {
  for (executor::Scenario & scenario : scenarios) {
    std::erase_if(scenario.timings, [processor](const auto & task) {
      return executor::Processors::of(task.first) != processor;
    });
  }
  return scenarios;
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
  for (const std::string & name : numbered) {
    // Whoever still asks for one that is gone gets the default.
    const std::string & meant = name.empty() ? plan.default_scenario : name;
    const auto planned =
        std::find_if(plan.scenarios.begin(), plan.scenarios.end(),
                     [&meant](const PlannedScenario & each) { return each.name == meant; });
    const bool found = planned != plan.scenarios.end();
    scenarios.push_back(found ? scenario_of(*planned, numbers) : executor::Scenario{});
    if (!name.empty() && name == plan.default_scenario) {
      first = static_cast<model::ScenarioId>(scenarios.size());
    }
  }
  std::vector<Part> parts(processors_.size());
  for (std::size_t i = 0; i < parts.size(); ++i) parts[i] = part_of(scenarios, i);
  std::vector<std::size_t> changed;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (strategies_ != plan.strategies || sent_.empty() || !same(sent_[i], parts[i])) {
      changed.push_back(i);
    }
  }
  if (changed.empty()) return;
  // Should a processor refuse them, the next ones are not taken for the same.
  const std::string old_default = std::exchange(default_, "");
  strategies_.clear();
  sent_.clear();
  given_ = true;
  // Before it spins, what holds is what is to hold at the start.
  const bool anew = old_default != plan.default_scenario && !processors_.spinning();
  for (const std::size_t i : changed) {
    if (anew) processors_[i].set_scenarios({});
    processors_[i].set_scenarios(parts[i], first);
  }
  table_.set(names);
  given_ = !numbered.empty();
  default_ = plan.default_scenario;
  strategies_ = plan.strategies;
  sent_ = std::move(parts);
  const model::ScenarioId holds = processors_.statistics().scenario;
  if (holds != model::base_scenario && !table_.present(holds)) processors_.request_scenario(first);
}

void Scenarios::forget(model::TaskId task) {
  for (Part & part : sent_) {
    for (executor::Scenario & scenario : part) scenario.timings.erase(task);
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
