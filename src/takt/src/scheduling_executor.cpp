// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt/scheduling_executor.hpp"

#include <optional>
#include <utility>

#include "takt/exceptions.hpp"
#include "takt_core/tasks/task_registry.hpp"
#include "takt_view/live_view.hpp"
#include "view_server.hpp"

namespace takt {
namespace {

executor::Options core_options(const SchedulingExecutorOptions & options) {
  return tasks::executor_options({.policy = options.policy,
                                  .cpus = options.cpus,
                                  .plan = options.plan,
                                  .on_exception = options.on_exception,
                                  .lock_memory = options.lock_memory,
                                  .stack_size = options.stack_size,
                                  .kept_heap = options.kept_heap,
                                  .time_decisions = options.time_decisions,
                                  .age_margin = options.age_margin,
                                  .max_section = options.max_section,
                                  .thread_roles = options.thread_roles,
                                  .widen_started_threads = options.widen_started_threads,
                                  .log = options.log,
                                  .trace = options.trace,
                                  .on_deadline_miss = options.on_deadline_miss,
                                  .on_overrun = options.on_overrun,
                                  .on_exhausted_budget = options.on_exhausted_budget,
                                  .diagnostics = options.diagnostics});
}

tasks::TaskRegistry::Nodes bases(const std::vector<std::shared_ptr<Node>> & nodes) {
  tasks::TaskRegistry::Nodes all;
  for (const auto & node : nodes) all.push_back(node->base());
  return all;
}

}  // namespace

SchedulingExecutor::SchedulingExecutor(const SchedulingExecutorOptions & options)
    : SchedulingControls(
          std::make_shared<tasks::TaskRegistry>(core_options(options), options.cpus)),
      context_(options.context != nullptr ? options.context : default_context()),
      diagnostics_(options.diagnostics) {}

SchedulingExecutor::~SchedulingExecutor() {
  registry_->close();
}

void SchedulingExecutor::add_node(Node & node) {
  registry_->add_nodes({node.base()});
}
void SchedulingExecutor::add_nodes(const std::vector<std::shared_ptr<Node>> & nodes) {
  registry_->add_nodes(bases(nodes));
}

void SchedulingExecutor::remove_node(Node & node) {
  registry_->remove_nodes({node.base()});
}
void SchedulingExecutor::remove_nodes(const std::vector<std::shared_ptr<Node>> & nodes) {
  registry_->remove_nodes(bases(nodes));
}

void SchedulingExecutor::spin() {
  context_->rcl_context();
  // A copy of its own, because another thread may destroy the executor during the call.
  const std::shared_ptr<Context> context = context_;
  const auto runner = context->add_runner([registry = registry_] { return registry->quiesce(); });
  const auto handle = context->on_shutdown([registry = registry_] { registry->stop(); });
  struct Remove {
    Context & context;
    std::uint64_t runner;
    std::uint64_t handle;
    ~Remove() {
      context.remove_on_shutdown(handle);
      context.remove_runner(runner);
    }
  } const remove{*context, runner, handle};
  if (spinning()) throw Error(tasks::TaskRegistry::spins_already);
  registry_->check_plans();
  registry_->begin_spin();
  struct End {
    std::shared_ptr<tasks::TaskRegistry> registry;
    ~End() { registry->end_spin(); }
  } const end{registry_};
  std::optional<view::LiveView> live;
  if (diagnostics_.enabled) {
    live.emplace(
        registry_, diagnostics_,
        [context](view::View & view) { return detail::make_view_server(context, view); },
        [context] { return context->is_valid(); });
  }
  registry_->processors().spin([this] { registry_->resume_grids(); });
}

void SchedulingExecutor::cancel() {
  registry_->processors().stop();
}
void SchedulingExecutor::forget_cancel() {
  registry_->processors().forget_late_stop();
}
bool SchedulingExecutor::spinning() const {
  return registry_->processors().spinning();
}
}  // namespace takt
