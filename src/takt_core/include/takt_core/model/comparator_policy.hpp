// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "takt_core/model/policy.hpp"

namespace takt::model {

/// A user-defined policy that compares two pending jobs, as in the thesis; O(n) per decision. If
/// neither job precedes the other, the usual tie-break applies (see Policy). The functions are
/// called under the scheduler's lock: they must not allocate, block or throw (an exception ends the
/// process).
class ComparatorPolicy final : public Policy {
 public:
  /// The static preemption rank of a task: a job may preempt jobs of tasks with a lower number.
  using PreemptionRank = std::function<std::int64_t(const Task &)>;

  /// `before(job a, task of a, job b, task of b)`: whether a precedes b; a strict weak order.
  /// Without `preemption_rank` the policy is non-preemptive. Allocates; throws
  /// std::invalid_argument if `before` is empty.
  explicit ComparatorPolicy(Before before, std::string name = "comparator",
                            PreemptionRank preemption_rank = nullptr);

  std::string_view name() const noexcept override { return name_; }
  bool preemptive() const noexcept override { return preemption_rank_ != nullptr; }
  std::int64_t preemption_rank(const Task & task) const noexcept override;
  Urgency urgency(const Task & task, const Job & job,
                  const ApplicationState & state) noexcept override;
  const Before * comparator() const noexcept override { return &before_; }

 private:
  Before before_;
  std::string name_;
  PreemptionRank preemption_rank_;
};

}  // namespace takt::model
