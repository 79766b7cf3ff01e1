// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "takt_core/executor/responses.hpp"
#include "takt_core/model/scheduler.hpp"

namespace takt::executor {

/// How a task stands, as of one instant. Timing as the scenario that holds has it.
struct TaskStatus {
  model::TaskCounters counters;  ///< as Processor::counters()
  model::Level level = 0;
  model::Duration period = 0;  ///< as model::Task
  model::Duration deadline = model::never;
  int priority = model::lowest_priority;
  bool suspended = false;
  /// nullptr unless Options::measure_responses. It lives on when the task has gone.
  std::shared_ptr<const Responses> responses;
};

}  // namespace takt::executor
