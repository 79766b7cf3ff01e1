// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "takt_core/model/simulator.hpp"

/// Compact definitions of task sets, and their schedules in virtual time.
namespace takt::model::testing {

/// A task with its execution time.
struct Spec {
  Duration execution = 1;
  Duration period = 0;
  Duration deadline = 0;  ///< 0: the period
  Duration phase = 0;
  int priority = 1;
  std::uint32_t queue = 0;
  GroupId group = none;
  TaskKind kind = TaskKind::timer;
  Duration budget = never;
  OnBudget on_budget = OnBudget::report;
};

inline Task task_of(const Spec & spec, std::string id = "task") {
  Task task;
  task.id = std::move(id);
  task.kind = spec.kind;
  task.period = spec.period;
  task.phase = spec.phase;
  task.deadline = spec.deadline > 0 ? spec.deadline : spec.period > 0 ? spec.period : never;
  task.priority = spec.priority;
  task.queue = spec.queue;
  task.group = spec.group;
  task.budget = spec.budget;
  task.on_budget = spec.on_budget;
  return task;
}

using Execution = std::function<Duration(TaskId, std::uint64_t)>;

struct TaskSet {
  std::vector<Task> tasks;
  std::vector<Group> groups;
  Execution execution;
  SimulationOptions options;
  Level max_levels = 45;
};

inline TaskSet task_set(const std::vector<Spec> & specs, Time end, std::vector<Group> groups = {}) {
  TaskSet set;
  std::vector<Duration> executions;
  for (const Spec & spec : specs) {
    set.tasks.push_back(task_of(spec, std::string(1, static_cast<char>('A' + set.tasks.size()))));
    executions.push_back(spec.execution);
  }
  set.execution = [executions](TaskId task, std::uint64_t) { return executions[task]; };
  set.groups = std::move(groups);
  set.options.end = end;
  set.options.keep_slices = true;
  return set;
}

/// The result of a run.
struct Outcome {
  SimulationResult result;
  std::vector<Level> levels;
  std::vector<TaskCounters> counters;
};

inline LocalScheduler scheduler_of(const TaskSet & set, std::unique_ptr<Policy> policy) {
  LocalScheduler scheduler(std::move(policy), set.max_levels);
  for (const Group & group : set.groups) scheduler.add_group(group);
  for (const Task & task : set.tasks) scheduler.add_task(task);
  scheduler.start_grid(0);
  scheduler.commit();
  return scheduler;
}

inline Outcome run(const TaskSet & set, std::unique_ptr<Policy> policy) {
  LocalScheduler scheduler = scheduler_of(set, std::move(policy));
  Outcome outcome;
  outcome.result = simulate(scheduler, set.execution, set.options);
  for (TaskId id = 0; id < set.tasks.size(); ++id) {
    outcome.levels.push_back(scheduler.level(id));
    outcome.counters.push_back(scheduler.counters(id));
  }
  return outcome;
}

inline Outcome run(const TaskSet & set, const std::string & policy) {
  return run(set, make_policy(policy));
}

/// The schedule as text, such as `A0 0-2, B0 2-5, A1 5-7`: tasks are letters, `A+0` is an extra
/// job.
inline std::string text(const std::vector<Slice> & slices) {
  std::string all;
  for (const Slice & slice : slices) {
    if (!all.empty()) all += ", ";
    all += static_cast<char>('A' + slice.task);
    const bool extra = slice.index >= first_extra_job;
    if (extra) all += "+";
    all += std::to_string(slice.index - (extra ? first_extra_job : 0)) + " " +
           std::to_string(slice.from) + "-" + std::to_string(slice.to);
  }
  return all;
}

inline std::string schedule(const TaskSet & set, const std::string & policy) {
  return text(run(set, policy).result.slices);
}

}  // namespace takt::model::testing
