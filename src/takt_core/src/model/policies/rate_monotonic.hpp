// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ranked_policy.hpp"

namespace takt::model {

/// `rm`, rate monotonic (Liu and Layland, Journal of the ACM 20, 1973): the shorter period (or
/// minimum interval, or else Task::rank_period) first; tasks without one last.
class RateMonotonic final : public RankedPolicy {
 public:
  explicit RateMonotonic(bool preemptive) : RankedPolicy("rm", preemptive) {}

  std::int64_t preemption_rank(const Task & task) const noexcept override { return -length(task); }
  bool ranks_tasks() const noexcept override { return true; }
  Urgency urgency(const Task & task, const Job &, const ApplicationState &) noexcept override {
    return length(task);
  }

 private:
  static Duration length(const Task & task) noexcept {
    if (task.period > 0) return task.period;
    return task.rank_period > 0 ? task.rank_period : never;
  }
};

}  // namespace takt::model
