// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// The part of the dispatcher that switches scenarios.
#include "dispatcher.hpp"
#include "takt_core/os/clock.hpp"
#include "worker.hpp"

namespace takt::executor {
void Dispatcher::request_scenario(model::ScenarioId scenario, model::Time when) noexcept {
  if (request_.ask(scenario, when, os::now())) request_keep_time();
}

void Dispatcher::switch_scenario() noexcept {
  const ScenarioRequest::Asked asked = request_.take();
  if (asked.scenario == scheduler_.scenario()) return;
  const model::Time now = now_ = os::now();
  scheduler_.set_scenario(asked.scenario, now);
  if (asked.scenario != scheduler_.scenario()) return;
  counters_.switched(now - asked.when);
  if (trace_ != nullptr) trace_scenario(now, asked.when);
}

}  // namespace takt::executor
