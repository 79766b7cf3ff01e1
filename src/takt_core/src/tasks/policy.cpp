// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/tasks/policy.hpp"

#include "takt_core/model/comparator_policy.hpp"

namespace takt {

SchedulingPolicy urgency_policy(std::string name, model::UrgencyPolicy::Rank rank,
                                model::UrgencyPolicy::PreemptionRank preemption_rank,
                                model::UrgencyPolicy::Hold hold) {
  return SchedulingPolicy([name = std::move(name), rank = std::move(rank),
                           preemption_rank = std::move(preemption_rank), hold = std::move(hold)] {
    return std::make_unique<model::UrgencyPolicy>(name, rank, preemption_rank, hold);
  });
}

SchedulingPolicy comparator_policy(SchedulingPolicy::Before before) {
  return SchedulingPolicy(
      [before = std::move(before)] { return std::make_unique<model::ComparatorPolicy>(before); });
}

}  // namespace takt
