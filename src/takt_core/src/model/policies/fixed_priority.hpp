// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ranked_policy.hpp"

namespace takt::model {

/// `fp`, fixed priority: the task with the higher priority number first, as in Linux.
class FixedPriority final : public RankedPolicy {
 public:
  explicit FixedPriority(bool preemptive) : RankedPolicy("fp", preemptive) {}

  std::int64_t preemption_rank(const Task & task) const noexcept override { return task.priority; }
  bool ranks_tasks() const noexcept override { return true; }
  Urgency urgency(const Task & task, const Job &, const ApplicationState &) noexcept override {
    return -task.priority;
  }
};

}  // namespace takt::model
