// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "takt_core/model/policy.hpp"

namespace takt::model {

/// A user's policy, given as functions. It re-ranks the pending jobs when the application's state
/// has a new version. The functions are called under the scheduler's lock: they must not allocate,
/// block or throw (an exception ends the process).
class UrgencyPolicy final : public Policy {
 public:
  /// The smaller number goes first.
  using Rank = std::function<Urgency(const Task &, const Job &, const ApplicationState &)>;
  /// Static preemption rank: the higher number may preempt the lower.
  using PreemptionRank = std::function<std::int64_t(const Task &)>;
  /// Start nothing before the instant returned, if it is above `now`.
  using Hold = std::function<Time(const Task &, const Job &, Time now, const ApplicationState &)>;

  /// Without `preemption_rank` it runs non-preemptively, without `hold` it is work-conserving.
  /// Allocates; throws std::invalid_argument without `rank`.
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
