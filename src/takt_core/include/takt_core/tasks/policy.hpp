// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "takt_core/model/policy.hpp"
#include "takt_core/model/urgency_policy.hpp"

namespace takt {

/// The name of a built-in policy, as a constant.
struct BuiltinPolicy {
  const char * name;
};
inline constexpr BuiltinPolicy fp_policy{"fp"};
inline constexpr BuiltinPolicy rm_policy{"rm"};
inline constexpr BuiltinPolicy dm_policy{"dm"};
inline constexpr BuiltinPolicy edf_policy{"edf"};
inline constexpr BuiltinPolicy np_fp_policy{"np-fp"};
inline constexpr BuiltinPolicy np_rm_policy{"np-rm"};
inline constexpr BuiltinPolicy np_dm_policy{"np-dm"};
inline constexpr BuiltinPolicy np_edf_policy{"np-edf"};
inline constexpr BuiltinPolicy fifo_policy{"fifo"};
inline constexpr BuiltinPolicy ros_policy{"ros"};

/// How an executor orders jobs: by a built-in policy, given by name, or by a user-defined one. A
/// value; copying allocates. It is checked when an executor is given it, which throws Error for an
/// unknown name and for a `Make` that returns no policy.
class SchedulingPolicy {
 public:
  /// Creates a policy. Called on the calling thread when the executor is given it and at each
  /// spin(); for a scenario's policy also whenever the executor's tasks change. May allocate and
  /// throw; see model::Policy for the restrictions of the policy itself.
  using Make = std::function<std::unique_ptr<model::Policy>()>;
  /// A comparator as in the thesis: whether the first job goes before the second.
  using Before = model::Policy::Before;

  // NOLINTBEGIN(google-explicit-constructor): {.policy = "edf"}
  /// A built-in policy: `fp`, `rm`, `dm`, `edf`, each also with the prefix `np-`, `fifo` or `ros`.
  SchedulingPolicy(const char * name) : name_(name) {}
  SchedulingPolicy(std::string name) : name_(std::move(name)) {}
  SchedulingPolicy(const BuiltinPolicy & policy) : name_(policy.name) {}
  /// For the notation of the thesis: &np_edf_policy.
  SchedulingPolicy(const BuiltinPolicy * policy) : name_(policy->name) {}
  /// A user-defined policy. Without real-time rights it runs non-preemptively.
  SchedulingPolicy(Make make) : make_(std::move(make)) {}
  // NOLINTEND(google-explicit-constructor)

  /// The name of a built-in policy. Empty for a user-defined one, which make() creates.
  const std::string & name() const noexcept { return name_; }
  const Make & make() const noexcept { return make_; }

 private:
  std::string name_;
  Make make_;
};

/// A policy that ranks jobs by a function of the job and the application's state; see
/// model::UrgencyPolicy for the requirements on the functions. Allocates.
SchedulingPolicy urgency_policy(std::string name, model::UrgencyPolicy::Rank rank,
                                model::UrgencyPolicy::PreemptionRank preemption_rank = nullptr,
                                model::UrgencyPolicy::Hold hold = nullptr);

/// A policy that compares two pending jobs, O(n) per decision; see model::ComparatorPolicy. It is
/// non-preemptive. Allocates.
SchedulingPolicy comparator_policy(SchedulingPolicy::Before before);

}  // namespace takt
