// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/model/urgency_policy.hpp"

#include <stdexcept>
#include <utility>

namespace takt::model {

UrgencyPolicy::UrgencyPolicy(std::string name, Rank rank, PreemptionRank preemption_rank, Hold hold)
    : name_(std::move(name)),
      rank_(std::move(rank)),
      preemption_rank_(std::move(preemption_rank)),
      hold_(std::move(hold)) {
  if (!rank_) throw std::invalid_argument("policy '" + name_ + "': it needs an urgency function");
}

std::int64_t UrgencyPolicy::preemption_rank(const Task & task) const noexcept {
  return preemption_rank_ ? preemption_rank_(task) : 0;
}

Urgency UrgencyPolicy::urgency(const Task & task, const Job & job,
                               const ApplicationState & state) noexcept {
  return rank_(task, job, state);
}

Time UrgencyPolicy::hold_until(const Task & task, const Job & candidate, Time now,
                               const ApplicationState & state) noexcept {
  return hold_ ? hold_(task, candidate, now, state) : now;
}

}  // namespace takt::model
