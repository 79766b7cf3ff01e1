// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "takt_core/model/policy.hpp"

namespace takt::model {

/// `fifo`: in order of release; non-preemptive.
class FirstInFirstOut final : public Policy {
 public:
  std::string_view name() const noexcept override { return "fifo"; }
  bool preemptive() const noexcept override { return false; }
  std::int64_t preemption_rank(const Task &) const noexcept override { return 0; }
  Urgency urgency(const Task &, const Job & job, const ApplicationState &) noexcept override {
    return job.release;
  }
};

}  // namespace takt::model
