// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "takt_core/model/policy.hpp"

namespace takt::executor {

/// A user's policy as it runs without real-time rights: the same order, nothing preempts.
class NonPreemptive final : public model::Policy {
 public:
  explicit NonPreemptive(std::unique_ptr<model::Policy> policy)
      : policy_(std::move(policy)), name_("np-" + std::string(policy_->name())) {}

  std::string_view name() const noexcept override { return name_; }
  bool preemptive() const noexcept override { return false; }
  std::int64_t preemption_rank(const model::Task & /*task*/) const noexcept override { return 0; }
  model::Urgency urgency(const model::Task & task, const model::Job & job,
                         const model::ApplicationState & state) noexcept override {
    return policy_->urgency(task, job, state);
  }
  void started(const model::Job & job) noexcept override { policy_->started(job); }
  bool uses_state() const noexcept override { return policy_->uses_state(); }
  const Before * comparator() const noexcept override { return policy_->comparator(); }
  model::Time hold_until(const model::Task & task, const model::Job & candidate, model::Time now,
                         const model::ApplicationState & state) noexcept override {
    return policy_->hold_until(task, candidate, now, state);
  }

 private:
  std::unique_ptr<model::Policy> policy_;
  std::string name_;
};

}  // namespace takt::executor
