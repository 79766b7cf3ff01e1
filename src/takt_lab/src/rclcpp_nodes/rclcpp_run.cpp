// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "rclcpp_nodes/rclcpp_run.hpp"

#include <string>
#include <takt_rclcpp/scheduling_executor.hpp>

#include "error.hpp"
#include "rclcpp_nodes/rclcpp_application.hpp"
#include "rclcpp_nodes/session.hpp"

namespace takt::lab {
namespace {

rclcpp::TaskOptions timing_of(const RclcppApplication::Entities & entities, const Spec & spec) {
  const CallbackSpec & callback = *entities.task->task().callback;
  rclcpp::TaskOptions options{.priority = callback.priority,
                              .deadline = Duration(callback.deadline),
                              .phase = Duration(callback.phase),
                              .extra_releases = callback.extra_releases,
                              .queue = callback.queue,
                              .on_budget = callback.on_budget,
                              .processor = callback.processor,
                              .wcet = Duration(callback.wcet)};
  if (callback.budget != model::never) options.budget = Duration(callback.budget);
  for (std::size_t i = 0; i < entities.inputs.size(); ++i) {
    const model::Duration max_age = callback.max_ages[i];
    options.reads.push_back(
        {entities.inputs[i],
         {.max_age = max_age == model::never ? Duration::max() : Duration(max_age),
          .on_stale = callback.on_stale}});
  }
  std::vector<std::string> published;
  for (const std::uint32_t topic : callback.publishes) {
    published.push_back(spec.topics[topic].name);
  }
  options.publishes = std::move(published);
  return options;
}

class Run : public RclcppRun {
 public:
  Run(const std::string & executor, const SchedulingOptions & options, const Spec & spec,
      const Work & work, model::Duration length)
      : session_(executor, options), application_(spec, work, length) {
    for (const auto & node : application_.nodes()) session_.executor().add_node(node);
    auto * takts = dynamic_cast<rclcpp::SchedulingExecutor *>(&session_.executor());
    if (takts == nullptr) return;
    for (const auto & entities : application_.entities()) {
      takts->set_task(entities->timer, timing_of(*entities, spec));
    }
    name_tasks(*takts);
  }

  Application & application() override { return application_; }
  SchedulingControls * controls() override { return session_.controls(); }
  void set_start(model::Time t0) override {
    if (controls() != nullptr) controls()->set_start(t0);
    for (const auto & entities : application_.entities()) {
      entities->first = t0 + entities->task->task().callback->phase;
      if (controls() == nullptr) begin_at(entities->timer, entities->first);
    }
  }
  void spin() override { session_.executor().spin(); }
  void cancel() override { session_.executor().cancel(); }

 private:
  /// Sets the names that the executor gives to rclcpp's timers, which have none themselves.
  void name_tasks(const rclcpp::SchedulingExecutor & executor) {
    for (const auto & entities : application_.entities()) {
      const std::string name = executor.task_name(entities->timer);
      if (name.empty()) throw Error("'" + entities->task->task().id + "' has not become a task");
      entities->task->set_name(name);
    }
  }

  RclcppSession session_;
  RclcppApplication application_;  // last, so that it is destroyed first
};

}  // namespace

std::unique_ptr<RclcppRun> make_rclcpp_run(const std::string & executor,
                                           const SchedulingOptions & options, const Spec & spec,
                                           const Work & work, model::Duration length) {
  return std::make_unique<Run>(executor, options, spec, work, length);
}

}  // namespace takt::lab
