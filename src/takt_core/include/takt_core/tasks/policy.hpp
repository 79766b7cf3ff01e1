// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "takt_core/model/policy.hpp"
#include "takt_core/model/urgency_policy.hpp"

namespace takt {

/// A built-in policy as a constant instead of a text.
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

/// How an executor orders jobs: one of the built-in policies by name, or one of the user's own. A
/// value: copying allocates, and nothing is checked before an executor is given it, which throws
/// Error for an unknown name or a policy that is not made.
class SchedulingPolicy {
 public:
  /// Makes a policy: when the executor is given it and at each spin(), on the calling thread; a
  /// scenario's also whenever the executor's tasks change.
  /// May allocate and throw; see model::Policy for what the policy itself must not do.
  using Make = std::function<std::unique_ptr<model::Policy>()>;
  /// The thesis's form: the first job goes before the second.
  using Before = model::Policy::Before;

  // NOLINTBEGIN(google-explicit-constructor): {.policy = "edf"}
  /// `fp`, `rm`, `dm`, `edf`, the same with `np-`, `fifo`, `ros`.
  SchedulingPolicy(const char * name) : name_(name) {}
  SchedulingPolicy(std::string name) : name_(std::move(name)) {}
  SchedulingPolicy(const BuiltinPolicy & policy) : name_(policy.name) {}
  /// As the thesis writes it: &np_edf_policy.
  SchedulingPolicy(const BuiltinPolicy * policy) : name_(policy->name) {}
  /// A policy of the user's own. Without real-time rights it is used as if it did not preempt.
  SchedulingPolicy(Make make) : make_(std::move(make)) {}
  // NOLINTEND(google-explicit-constructor)

  /// Empty, and make() is not, for a policy of the user's own.
  const std::string & name() const noexcept { return name_; }
  const Make & make() const noexcept { return make_; }

 private:
  std::string name_;
  Make make_;
};

/// A policy that ranks jobs by an urgency function of the job and the application's state; see
/// model::UrgencyPolicy for the rules that the functions keep. Allocates.
SchedulingPolicy urgency_policy(std::string name, model::UrgencyPolicy::Rank rank,
                                model::UrgencyPolicy::PreemptionRank preemption_rank = nullptr,
                                model::UrgencyPolicy::Hold hold = nullptr);

/// A policy that compares two pending jobs: O(n) per decision; see model::ComparatorPolicy. It does
/// not preempt. Allocates.
SchedulingPolicy comparator_policy(SchedulingPolicy::Before before);

}  // namespace takt
