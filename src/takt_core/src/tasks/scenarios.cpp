// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/tasks/scenarios.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace takt::tasks {
namespace {

using Timings = std::map<executor::TaskId, model::Timing>;

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

/// Compares timings only: policies come from the strategies and differ only if these do.
bool same(const std::vector<executor::Scenario> & a, const std::vector<executor::Scenario> & b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const auto & x, const auto & y) { return same(x.timings, y.timings); });
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
  next.other = strategies_ != plan.strategies;
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
  const std::optional<Part> & sent = sent_[processor];
  if (!sent) return !next.scenarios.empty();
  return next.other || !same(*sent, part_of(next, numbers));
}

void Scenarios::give(const Next & next, std::size_t processor, const TaskNumbers & numbers,
                     executor::Changes & changes) {
  if (!due(next, processor, numbers)) return;
  Part part = part_of(next, numbers);
  // If the change is refused, the next one must not be mistaken for a repetition.
  sent_[processor].reset();
  changes.set_scenarios(part, next.first, next.activate_first);
  sent_[processor] = std::move(part);
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

void Scenarios::forget(executor::TaskId task) {
  std::optional<Part> & part = sent_[executor::Processors::of(task)];
  if (!part) return;
  for (executor::Scenario & scenario : *part) scenario.timings.erase(task);
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
