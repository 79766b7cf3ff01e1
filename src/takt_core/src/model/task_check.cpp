// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/model/task_check.hpp"

#include <stdexcept>
#include <string>
#include <type_traits>

namespace takt::model {

namespace {

/// Throws if a rule is not fulfilled. The message is put together of its parts only then, because
/// every change of an application with many tasks checks them all.
template <typename... Parts>
void demand(bool fulfilled, const Task & task, const Parts &... parts) {
  if (fulfilled) return;
  std::string line = "task '" + task.id + "': ";
  const auto add = [&line](const auto & part) {
    if constexpr (std::is_integral_v<std::remove_cvref_t<decltype(part)>>) {
      line += std::to_string(part);
    } else {
      line += part;
    }
  };
  (add(parts), ...);
  throw std::invalid_argument(line);
}

}  // namespace

void check_task(const Task & task) {
  const bool timer = task.kind == TaskKind::timer;
  demand(timer || !task.own_grid, task, "only a timer has a grid of its own");
  demand(task.period <= furthest, task, "period ", task.period, " ns is too long");
  if (timer) {
    demand(task.period > 0, task, "period must be above 0, not ", task.period, " ns");
    demand(task.phase >= 0 && task.phase <= furthest, task, "phase must be from 0 to 2^60 ns, not ",
           task.phase);
  } else {
    demand(task.period >= 0, task, "minimum interval must not be negative, not ", task.period,
           " ns");
  }
  if (task.deadline != never) {
    demand(task.deadline > 0 && task.deadline <= furthest, task,
           "deadline must be above 0 and at most 2^60 ns (or none), not ", task.deadline);
    demand(!timer || task.deadline <= task.period || task.queue > 0, task, "deadline ",
           task.deadline, " ns is beyond the period ", task.period,
           " ns: let jobs wait with queue > 0, or shorten it");
  }
  demand(task.priority >= lowest_priority && task.priority <= highest_priority, task,
         "priority must be from 1 to 98, not ", task.priority);
  demand(task.budget > 0 && (task.budget <= furthest || task.budget == never), task,
         "budget must be above 0 and at most 2^60 ns (or none), not ", task.budget);
  demand(task.queue <= longest_queue, task, "queue must be at most ", longest_queue, ", not ",
         task.queue);
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
