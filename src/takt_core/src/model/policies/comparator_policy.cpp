// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/model/comparator_policy.hpp"

#include <stdexcept>
#include <utility>

namespace takt::model {

ComparatorPolicy::ComparatorPolicy(Before before, std::string name, PreemptionRank preemption_rank)
    : before_(std::move(before)),
      name_(std::move(name)),
      preemption_rank_(std::move(preemption_rank)) {
  if (!before_) throw std::invalid_argument("policy '" + name_ + "': it needs a comparator");
}

std::int64_t ComparatorPolicy::preemption_rank(const Task & task) const noexcept {
  return preemption_rank_ ? preemption_rank_(task) : 0;
}

Urgency ComparatorPolicy::urgency(const Task &, const Job &, const ApplicationState &) noexcept {
  return 0;
}

}  // namespace takt::model
