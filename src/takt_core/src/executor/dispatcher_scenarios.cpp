// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// The part of the dispatcher that changes scenarios.
#include <algorithm>
#include <mutex>
#include <utility>

#include "dispatcher.hpp"
#include "takt_core/os/clock.hpp"
#include "worker.hpp"

namespace takt::executor {
namespace {

// A request is one word: 16 bits say which scenario, 48 bits when, in ns (modulo three days).
constexpr int scenario_bits = 16;
constexpr std::uint64_t scenario_mask = (std::uint64_t{1} << scenario_bits) - 1;
constexpr std::uint64_t instant_mask = ~std::uint64_t{0} >> scenario_bits;

}  // namespace

void Dispatcher::set_scenarios(std::vector<model::Scenario> scenarios, model::ScenarioId first) {
  Staff staff;
  {
    const std::lock_guard lock(mutex_);
    // How many levels they make shows later; no more than there are tasks.
    staff.levels = static_cast<model::Level>(std::min(workers_.size(), tasks_.count()));
    staff.spares = lowerable_;
  }
  listeners_.enlist(staff);
  const auto given = std::make_shared<std::vector<model::Scenario>>(std::move(scenarios));
  change([this, given, first] {
    for (model::Scenario & scenario : *given) {
      std::map<model::TaskId, model::Timing> timings;
      for (const auto & [task, timing] : scenario.timings) {
        if (tasks_.in_model(task) != model::none) timings.emplace(tasks_.in_model(task), timing);
      }
      scenario.timings = std::move(timings);
    }
    scheduler_.set_scenarios(std::move(*given), changing_at_, first);
  });
}

void Dispatcher::request_scenario(model::ScenarioId scenario) noexcept {
  const std::uint64_t which = std::min<std::uint64_t>(std::uint64_t{scenario} + 1, scenario_mask);
  const std::uint64_t when = static_cast<std::uint64_t>(os::now()) & instant_mask;
  if (requested_.exchange(when << scenario_bits | which) != 0) ++overwritten_;
  timekeeper_.load()->post();
}

void Dispatcher::switch_scenario() noexcept {
  const std::uint64_t request = requested_.exchange(0);
  const auto scenario = static_cast<model::ScenarioId>((request & scenario_mask) - 1);
  if (scenario == scheduler_.scenario()) return;
  const model::Time now = os::now();
  scheduler_.set_scenario(scenario, now);
  if (scenario != scheduler_.scenario()) return;
  ++switches_;
  const std::uint64_t waited = static_cast<std::uint64_t>(now) - (request >> scenario_bits);
  last_switch_ = static_cast<model::Duration>(waited & instant_mask);
  longest_switch_ = std::max(longest_switch_, last_switch_);
}

}  // namespace takt::executor
