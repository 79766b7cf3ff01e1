// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "takt_core/executor/notices.hpp"

namespace takt::executor {

/// Converts between the numbers of tasks and groups in an executor and their indices in a
/// processor's model: the numbers of a processor begin with that of its first task. No other code
/// converts them.
class Numbering {
 public:
  explicit Numbering(TaskId first) noexcept : first_(to_number(first)) {}

  /// The number of the processor's first task, which identifies the processor.
  TaskId first() const noexcept { return TaskId{first_}; }
  TaskId task(model::TaskId in_model) const noexcept { return TaskId{first_ + in_model}; }
  GroupId group(model::GroupId in_model) const noexcept { return GroupId{first_ + in_model}; }

  /// The index in the model; for a task of another processor one that the model does not have.
  model::TaskId in_model(TaskId task) const noexcept { return to_number(task) - first_; }
  /// The index in the model; model::none for GroupId::none.
  model::GroupId in_model(GroupId group) const noexcept {
    return group == GroupId::none ? model::none : to_number(group) - first_;
  }

  /// The scheduler's notices, as passed to handlers.
  Miss in_executor(const model::Miss & miss) const noexcept {
    return {in_executor(miss.job), miss.noticed, miss.pending, miss.transition};
  }
  Overrun in_executor(const model::Overrun & overrun) const noexcept {
    return {in_executor(overrun.job), overrun.count, overrun.skipped};
  }
  Exhaustion in_executor(const model::Exhaustion & exhaustion) const noexcept {
    return {in_executor(exhaustion.job), exhaustion.noticed, exhaustion.used, exhaustion.lowered};
  }

 private:
  model::JobOf<TaskId> in_executor(const model::Job & job) const noexcept {
    return {task(job.task), job.level, job.index, job.release, job.deadline, job.urgency};
  }

  const std::uint32_t first_;
};

}  // namespace takt::executor
