// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "takt_core/model/policy.hpp"

namespace takt::model {

/// A user-defined policy, given as functions. It re-ranks the pending jobs when the application's
/// state has a new version. The functions are called under the scheduler's lock: they must not
/// allocate, block or throw (an exception ends the process).
class UrgencyPolicy final : public Policy {
 public:
  /// The urgency of a job: the job with the smaller number goes first.
  using Rank = std::function<Urgency(const Task &, const Job &, const ApplicationState &)>;
  /// The static preemption rank of a task: a job may preempt jobs of tasks with a lower number.
  using PreemptionRank = std::function<std::int64_t(const Task &)>;
  /// The instant before which nothing is to start; at or before `now` if the candidate may start.
  using Hold = std::function<Time(const Task &, const Job &, Time now, const ApplicationState &)>;

  /// Without `preemption_rank` the policy is non-preemptive, without `hold` it is work-conserving.
  /// Allocates; throws std::invalid_argument if `rank` is empty.
  UrgencyPolicy(std::string name, Rank rank, PreemptionRank preemption_rank = nullptr,
                Hold hold = nullptr);

  std::string_view name() const noexcept override { return name_; }
  bool preemptive() const noexcept override { return preemption_rank_ != nullptr; }
  std::int64_t preemption_rank(const Task & task) const noexcept override;
  Urgency urgency(const Task & task, const Job & job,
                  const ApplicationState & state) noexcept override;
  bool uses_state() const noexcept override { return true; }
  Time hold_until(const Task & task, const Job & candidate, Time now,
                  const ApplicationState & state) noexcept override;

 private:
  std::string name_;
  Rank rank_;
  PreemptionRank preemption_rank_;
  Hold hold_;
};

}  // namespace takt::model
