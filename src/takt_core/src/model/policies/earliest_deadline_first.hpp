// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ranked_policy.hpp"

namespace takt::model {

/// `edf`, earliest deadline first (Liu and Layland, Journal of the ACM 20, 1973): the earlier
/// absolute deadline first. The preemption levels follow the relative deadlines (Baker 1991): a job
/// that is released while another one runs has the earlier deadline only if its relative deadline
/// is shorter.
class EarliestDeadlineFirst final : public RankedPolicy {
 public:
  explicit EarliestDeadlineFirst(bool preemptive) : RankedPolicy("edf", preemptive) {}

  std::int64_t preemption_rank(const Task & task) const noexcept override { return -task.deadline; }
  Urgency urgency(const Task &, const Job & job, const ApplicationState &) noexcept override {
    return job.deadline;
  }
};

}  // namespace takt::model
