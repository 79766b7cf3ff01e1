// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "takt_core/model/policy.hpp"

namespace takt::model {

/// The base class of built-in policies with a preemptive and a non-preemptive (`np-`) form.
class RankedPolicy : public Policy {
 public:
  RankedPolicy(std::string_view name, bool preemptive)
      : name_((preemptive ? "" : "np-") + std::string(name)), preemptive_(preemptive) {}

  std::string_view name() const noexcept override { return name_; }
  bool preemptive() const noexcept override { return preemptive_; }

 private:
  std::string name_;
  bool preemptive_;
};

}  // namespace takt::model
