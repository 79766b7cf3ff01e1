// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/tasks/scheduling_controls.hpp"

#include <exception>
#include <functional>
#include <utility>

#include "takt_core/executor/standard_error.hpp"
#include "takt_core/tasks/error.hpp"
#include "takt_core/tasks/task_registry.hpp"

namespace takt {
namespace {

std::shared_ptr<trace::Recorder> make_recorder(
    TraceOptions options, const std::function<void(const std::string &)> & log) {
  if (!options.log) options.log = log ? log : executor::write_to_standard_error;
  try {
    return std::make_shared<trace::Recorder>(options);
  } catch (const std::exception & error) {
    throw Error(error.what());
  }
}

}  // namespace

executor::Options tasks::executor_options(const SchedulingOptions & options) {
  if (options.diagnostics.period <= Duration::zero()) {
    throw Error("the period of diagnostics must be above 0: to have none, set enabled to false");
  }
  executor::Options core;
  core.policy = options.policy.name();
  core.custom_policy = options.policy.make();
  core.plan = options.plan;
  core.on_exception = options.on_exception;
  core.lock_memory = options.lock_memory;
  core.stack_size = options.stack_size;
  core.kept_heap = options.kept_heap;
  core.time_decisions = options.time_decisions;
  core.thread_roles = options.thread_roles;
  core.widen_started_threads = options.widen_started_threads;
  core.log = options.log;
  core.age_margin = options.age_margin.count();
  core.max_section = options.max_section.count();
  if (!options.trace.file.empty()) core.trace = make_recorder(options.trace, options.log);
  core.measure_responses = options.diagnostics.enabled;
  core.handlers = {options.on_deadline_miss, options.on_overrun, options.on_exhausted_budget};
  return core;
}

void SchedulingControls::set_start(model::Time t0) {
  registry_->set_start(t0);
}

void SchedulingControls::set_scheduling_policy(const SchedulingPolicy & policy) {
  registry_->set_policy(policy);
}

void SchedulingControls::set_scheduling_strategy(const SchedulingStrategy::SharedPtr & strategy) {
  registry_->set_strategy(tasks::given(strategy));
}
void SchedulingControls::load_strategy(const std::string & path) {
  set_scheduling_strategy(takt::load_strategy(path));
}
void SchedulingControls::request_scenario(std::string_view name) {
  request_scenario(scenario_number(name));
}
void SchedulingControls::request_scenario(ScenarioId number) noexcept {
  registry_->processors().request_scenario(number);
}
ScenarioId SchedulingControls::scenario_number(std::string_view name) const {
  return registry_->scenarios().table().number(name);
}
std::string SchedulingControls::scenario() const {
  return registry_->scenarios().current();
}

void SchedulingControls::set_state(const model::ApplicationState & state) {
  registry_->processors().set_state(state);
}

void SchedulingControls::on_deadline_miss(MissHandler handler) {
  registry_->set_handlers(
      [&handler](executor::Handlers & all) { all.on_miss = std::move(handler); });
}
void SchedulingControls::on_overrun(OverrunHandler handler) {
  registry_->set_handlers(
      [&handler](executor::Handlers & all) { all.on_overrun = std::move(handler); });
}
void SchedulingControls::on_exhausted_budget(BudgetHandler handler) {
  registry_->set_handlers(
      [&handler](executor::Handlers & all) { all.on_exhausted = std::move(handler); });
}

Grants SchedulingControls::grants() const {
  return registry_->grants();
}
Statistics SchedulingControls::statistics() const {
  return registry_->processors().statistics();
}

std::shared_ptr<trace::Recorder> SchedulingControls::trace() const noexcept {
  return registry_->trace();
}

model::TaskCounters SchedulingControls::counters(const std::string & callback) const {
  return registry_->counters(callback);
}

std::vector<std::pair<executor::TaskId, std::string>> SchedulingControls::tasks() const {
  return registry_->tasks();
}

void SchedulingControls::rebalance() {
  registry_->rebalance();
}
std::vector<TaskPlacement> SchedulingControls::placement() const {
  return registry_->placement();
}
std::size_t SchedulingControls::processor_count() const noexcept {
  return registry_->processors().size();
}
const executor::Processor & SchedulingControls::processor(std::size_t index) const {
  const executor::Processors & all = std::as_const(*registry_).processors();
  if (index >= all.size()) {
    throw Error("no processor " + std::to_string(index) + ": the executor has " +
                std::to_string(all.size()));
  }
  return all[index];
}

}  // namespace takt
