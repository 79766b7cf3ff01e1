// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt/scheduling_executor.hpp"

#include <optional>
#include <string>
#include <utility>

#include "binder.hpp"
#include "live_view.hpp"
#include "takt/exceptions.hpp"

namespace takt {
namespace {

std::shared_ptr<trace::Recorder> make_recorder(const TraceOptions & options) {
  try {
    return std::make_shared<trace::Recorder>(options);
  } catch (const std::exception & error) {
    throw Error(error.what());
  }
}

executor::Options core_options(const SchedulingExecutorOptions & options) {
  executor::Options core;
  core.policy = options.policy.name();
  core.custom_policy = options.policy.make();
  core.plan = options.plan;
  core.on_exception = options.on_exception;
  core.lock_memory = options.lock_memory;
  core.time_decisions = options.time_decisions;
  core.measure_responses = options.diagnostics.enabled;
  core.log = options.log;
  core.age_margin = options.age_margin.count();
  if (!options.trace.file.empty()) core.trace = make_recorder(options.trace);
  core.handlers = {options.on_deadline_miss, options.on_overrun, options.on_exhausted_budget};
  return core;
}

}  // namespace

SchedulingExecutor::SchedulingExecutor(const SchedulingExecutorOptions & options)
    : context_(options.context != nullptr ? options.context : default_context()),
      binder_(std::make_shared<detail::Binder>(core_options(options), options.cpus)),
      diagnostics_(options.diagnostics) {
  if (diagnostics_.period <= Duration::zero()) {
    throw Error("the period of diagnostics must be above 0: to have none, set enabled to false");
  }
}

SchedulingExecutor::~SchedulingExecutor() {
  binder_->close();
}

void SchedulingExecutor::add_node(Node & node) {
  binder_->add_node(*node.base());
}

void SchedulingExecutor::remove_node(Node & node) {
  binder_->remove_node(*node.base());
}

void SchedulingExecutor::spin() {
  context_->rcl_context();
  // The processor must outlive its stop, also where another thread shuts down meanwhile.
  const auto handle = context_->on_shutdown([weak = std::weak_ptr(binder_)] {
    if (const auto binder = weak.lock()) binder->processors().stop();
  });
  struct Remove {
    Context & context;
    std::uint64_t handle;
    ~Remove() { context.remove_on_shutdown(handle); }
  } const remove{*context_, handle};
  if (spinning()) throw Error(detail::Binder::spins_already);
  binder_->check_plans();
  binder_->begin_spin();
  struct End {
    std::shared_ptr<detail::Binder> binder;
    ~End() { binder->end_spin(); }
  } const end{binder_};
  std::optional<detail::LiveView> live;
  if (diagnostics_.enabled) live.emplace(context_, binder_, diagnostics_);
  binder_->processors().spin();
}

void SchedulingExecutor::cancel() {
  binder_->processors().stop();
}
bool SchedulingExecutor::spinning() const {
  return binder_->processors().spinning();
}
void SchedulingExecutor::set_start(model::Time t0) {
  binder_->set_start(t0);
}

void SchedulingExecutor::set_scheduling_policy(const SchedulingPolicy & policy) {
  binder_->set_policy(policy);
}

void SchedulingExecutor::set_scheduling_strategy(const SchedulingStrategy::SharedPtr & strategy) {
  binder_->set_strategy(detail::given(strategy));
}
void SchedulingExecutor::load_strategy(const std::string & path) {
  set_scheduling_strategy(takt::load_strategy(path));
}
void SchedulingExecutor::request_scenario(std::string_view name) {
  request_scenario(scenario_number(name));
}
void SchedulingExecutor::request_scenario(ScenarioId number) noexcept {
  binder_->processors().request_scenario(number);
}
ScenarioId SchedulingExecutor::scenario_number(std::string_view name) const {
  return binder_->scenarios().table().number(name);
}
std::string SchedulingExecutor::scenario() const {
  return binder_->scenarios().current();
}

void SchedulingExecutor::set_state(const ApplicationState & state) {
  binder_->processors().set_state(state);
}

void SchedulingExecutor::on_deadline_miss(MissHandler handler) {
  binder_->set_handlers([&handler](executor::Handlers & all) { all.on_miss = std::move(handler); });
}
void SchedulingExecutor::on_overrun(OverrunHandler handler) {
  binder_->set_handlers(
      [&handler](executor::Handlers & all) { all.on_overrun = std::move(handler); });
}
void SchedulingExecutor::on_exhausted_budget(BudgetHandler handler) {
  binder_->set_handlers(
      [&handler](executor::Handlers & all) { all.on_exhausted = std::move(handler); });
}

Grants SchedulingExecutor::grants() const {
  return binder_->processors().grants();
}
Statistics SchedulingExecutor::statistics() const {
  return binder_->processors().statistics();
}

std::shared_ptr<trace::Recorder> SchedulingExecutor::trace() const noexcept {
  return binder_->trace();
}

TaskCounters SchedulingExecutor::counters(const std::string & callback) const {
  return binder_->counters(callback);
}

std::vector<std::pair<TaskId, std::string>> SchedulingExecutor::tasks() const {
  return binder_->tasks();
}

void SchedulingExecutor::rebalance() {
  binder_->rebalance();
}
std::vector<TaskPlacement> SchedulingExecutor::placement() const {
  return binder_->placement();
}
std::size_t SchedulingExecutor::processor_count() const noexcept {
  return binder_->processors().size();
}
const executor::Processor & SchedulingExecutor::processor(std::size_t index) const {
  const executor::Processors & all = std::as_const(*binder_).processors();
  if (index >= all.size()) {
    throw Error("no processor " + std::to_string(index) + ": the executor has " +
                std::to_string(all.size()));
  }
  return all[index];
}

}  // namespace takt
