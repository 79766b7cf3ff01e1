// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "takt_core/executor/notices.hpp"

namespace takt::executor {

/// Between what a processor calls tasks and groups and the indices of its model: ids begin with that
/// of the first task, so that they tell processors apart. Nothing else makes one of the other.
class Numbering {
 public:
  explicit Numbering(TaskId first) noexcept : first_(to_number(first)) {}

  /// The id that its first task has, and tells the processor.
  TaskId first() const noexcept { return TaskId{first_}; }
  TaskId task(model::TaskId in_model) const noexcept { return TaskId{first_ + in_model}; }
  GroupId group(model::GroupId in_model) const noexcept { return GroupId{first_ + in_model}; }

  /// Of another processor's, one that the model does not have.
  model::TaskId in_model(TaskId task) const noexcept { return to_number(task) - first_; }
  /// Likewise; of none, none.
  model::GroupId in_model(GroupId group) const noexcept {
    return group == GroupId::none ? model::none : to_number(group) - first_;
  }

  /// What the scheduler says, as handlers are told.
  Miss told(const model::Miss & miss) const noexcept {
    return {told(miss.job), miss.noticed, miss.pending, miss.transition};
  }
  Overrun told(const model::Overrun & overrun) const noexcept {
    return {told(overrun.job), overrun.count, overrun.skipped};
  }
  Exhaustion told(const model::Exhaustion & exhaustion) const noexcept {
    return {told(exhaustion.job), exhaustion.noticed, exhaustion.used, exhaustion.lowered};
  }

 private:
  model::JobOf<TaskId> told(const model::Job & job) const noexcept {
    return {task(job.task), job.level, job.index, job.release, job.deadline, job.urgency};
  }

  const std::uint32_t first_;
};

}  // namespace takt::executor
