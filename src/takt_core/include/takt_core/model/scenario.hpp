// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <optional>

#include "takt_core/model/policy.hpp"

namespace takt::model {

/// The number of a scenario.
using ScenarioId = std::uint32_t;
/// The base scenario: the tasks as they were added, under the scheduler's policy.
inline constexpr ScenarioId base_scenario = 0;

/// The parameters that a scenario gives a task. A parameter that is not given stays as the task was
/// added. Units and ranges as in Task.
struct Timing {
  std::optional<Duration> period = std::nullopt;
  std::optional<Duration> rank_period = std::nullopt;
  std::optional<Duration> phase = std::nullopt;
  /// `never` for none. If not given, a timer's deadline that equals its period follows the period.
  std::optional<Duration> deadline = std::nullopt;
  std::optional<int> priority = std::nullopt;
  /// Applies to jobs that start while the scenario is active. `never` for no limit.
  std::optional<Duration> budget = std::nullopt;
  /// By channel, for inputs that the task has. `never` for no limit.
  std::map<ChannelId, Duration> max_age = {};
  /// Applies to all inputs of the task.
  std::optional<OnStale> on_stale = std::nullopt;
  std::optional<bool> extra_releases = std::nullopt;
  /// A timer has no releases while the scenario is active; releases of other tasks are delayed
  /// until it ends, as many as the task can queue.
  bool suspended = false;

  bool operator==(const Timing &) const = default;
};

/// Task parameters and a policy, to be activated while the application runs.
struct Scenario {
  /// nullptr: the scheduler's own policy.
  std::shared_ptr<Policy> policy = nullptr;
  std::map<TaskId, Timing> timings = {};
};

}  // namespace takt::model
