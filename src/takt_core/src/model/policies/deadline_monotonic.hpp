// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ranked_policy.hpp"

namespace takt::model {

/// `dm`, deadline monotonic (Leung and Whitehead, Performance Evaluation 2, 1982): the shorter
/// relative deadline first; tasks without one last.
class DeadlineMonotonic final : public RankedPolicy {
 public:
  explicit DeadlineMonotonic(bool preemptive) : RankedPolicy("dm", preemptive) {}

  std::int64_t preemption_rank(const Task & task) const noexcept override { return -task.deadline; }
  bool ranks_tasks() const noexcept override { return true; }
  Urgency urgency(const Task & task, const Job &, const ApplicationState &) noexcept override {
    return task.deadline;
  }
};

}  // namespace takt::model
