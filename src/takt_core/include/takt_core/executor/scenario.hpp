// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "takt_core/executor/ids.hpp"
#include "takt_core/executor/options.hpp"
#include "takt_core/model/scenario.hpp"

namespace takt::executor {

/// A scenario of a processor: changed parameters of its tasks, and a policy.
struct Scenario {
  /// The name of a built-in policy, unless `custom_policy` is set. Empty: the processor's own
  /// policy.
  std::string policy = {};
  MakePolicy custom_policy = {};
  /// The changed parameters, by task.
  std::map<TaskId, model::Timing> timings = {};
};

}  // namespace takt::executor
