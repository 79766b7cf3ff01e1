// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "takt_core/executor/responses.hpp"
#include "takt_core/model/scheduler.hpp"

namespace takt::executor {

/// The state of a task at one instant. The timing is that of the active scenario.
struct TaskStatus {
  model::TaskCounters counters;             ///< as Processor::counters()
  model::Level level = 0;                   ///< preemption level, 1 the lowest
  model::Duration period = 0;               ///< as in model::Task, ns
  model::Duration deadline = model::never;  ///< relative, ns
  int priority = model::lowest_priority;    ///< 1 to 98, higher is more urgent
  bool suspended = false;                   ///< it has no releases in this scenario
  /// The histogram of its response times; nullptr unless Options::measure_responses is set. It
  /// remains valid when the task has been removed.
  std::shared_ptr<const Responses> responses;
};

}  // namespace takt::executor
