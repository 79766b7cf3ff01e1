// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "takt_core/model/policy.hpp"
#include "takt_core/model/urgency_policy.hpp"

namespace takt {

/// How an executor orders jobs: one of the built-in policies by name, or one of the user's own.
class SchedulingPolicy {
 public:
  using Make = std::function<std::unique_ptr<model::Policy>()>;
  /// The thesis's form: the first job goes before the second.
  using Before = model::Policy::Before;

  // NOLINTBEGIN(google-explicit-constructor): {.policy = "edf"}
  /// `fp`, `rm`, `dm`, `edf`, the same with `np-`, `fifo`, `ros`.
  SchedulingPolicy(const char * name) : name_(name) {}
  SchedulingPolicy(std::string name) : name_(std::move(name)) {}
  /// A policy of the user's own; may be called again.
  SchedulingPolicy(Make make) : make_(std::move(make)) {}
  // NOLINTEND(google-explicit-constructor)

  const std::string & name() const noexcept { return name_; }
  const Make & make() const noexcept { return make_; }

 private:
  std::string name_;
  Make make_;
};

/// A policy that ranks jobs by an urgency function of the job and the application's state; see
/// model::UrgencyPolicy for the rules that the functions keep.
SchedulingPolicy urgency_policy(std::string name, model::UrgencyPolicy::Rank rank,
                                model::UrgencyPolicy::PreemptionRank preemption_rank = nullptr,
                                model::UrgencyPolicy::Hold hold = nullptr);

/// A policy that compares two pending jobs: O(n) per decision; see model::ComparatorPolicy.
SchedulingPolicy comparator_policy(SchedulingPolicy::Before before);

}  // namespace takt
