// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/model/task_check.hpp"

#include <stdexcept>

namespace takt::model {

namespace {

void demand(bool fulfilled, const Task & task, const std::string & what) {
  if (!fulfilled) throw std::invalid_argument("task '" + task.id + "': " + what);
}

}  // namespace

void check_task(const Task & task) {
  const auto number = [](std::int64_t value) { return std::to_string(value); };
  const bool timer = task.kind == TaskKind::timer;
  demand(timer || !task.own_grid, task, "only a timer has a grid of its own");
  demand(task.period <= furthest, task, "period " + number(task.period) + " ns is too long");
  if (timer) {
    demand(task.period > 0, task, "period must be above 0, not " + number(task.period) + " ns");
    demand(task.phase >= 0 && task.phase <= furthest, task,
           "phase must be from 0 to 2^60 ns, not " + number(task.phase));
  } else {
    demand(task.period >= 0, task,
           "minimum interval must not be negative, not " + number(task.period) + " ns");
  }
  if (task.deadline != never) {
    demand(task.deadline > 0 && task.deadline <= furthest, task,
           "deadline must be above 0 and at most 2^60 ns (or none), not " + number(task.deadline));
    demand(!timer || task.deadline <= task.period || task.queue > 0, task,
           "deadline " + number(task.deadline) + " ns is beyond the period " + number(task.period) +
               " ns: let jobs wait with queue > 0, or shorten it");
  }
  demand(task.priority >= lowest_priority && task.priority <= highest_priority, task,
         "priority must be from 1 to 98, not " + number(task.priority));
  demand(task.budget > 0 && (task.budget <= furthest || task.budget == never), task,
         "budget must be above 0 and at most 2^60 ns (or none), not " + number(task.budget));
  demand(task.queue <= longest_queue, task,
         "queue must be at most " + number(longest_queue) + ", not " + number(task.queue));
}

void refuse(const std::string & what) {
  throw std::invalid_argument("scheduler: " + what);
}

void check_instant(Time at, const std::string & what) {
  if (at < -furthest || at > furthest) {
    throw std::invalid_argument(what + " must be within 2^60 ns of 0, not " + std::to_string(at));
  }
}

}  // namespace takt::model
