// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <optional>

#include "takt_core/model/policy.hpp"

namespace takt::model {

/// Number of a scenario.
using ScenarioId = std::uint32_t;
/// The tasks as they were added, under the scheduler's policy.
inline constexpr ScenarioId base_scenario = 0;

/// What a scenario changes of a task; what is not given stays as the task was added with. Units and
/// ranges as in Task.
struct Timing {
  std::optional<Duration> period = std::nullopt;
  std::optional<Duration> rank_period = std::nullopt;
  std::optional<Duration> phase = std::nullopt;
  /// `never` for none. Not given: a timer's that was its period follows the period.
  std::optional<Duration> deadline = std::nullopt;
  std::optional<int> priority = std::nullopt;
  /// Of jobs that start while the scenario holds. `never` for none.
  std::optional<Duration> budget = std::nullopt;
  /// By channel, of inputs that the task has. `never` for any age.
  std::map<ChannelId, Duration> max_age = {};
  /// Of all inputs that the task has.
  std::optional<OnStale> on_stale = std::nullopt;
  std::optional<bool> extra_releases = std::nullopt;
  /// A timer has no releases while the scenario holds; those of other tasks wait for its end, as
  /// many as may wait of a task's jobs.
  bool suspended = false;
};

/// Task parameters with a policy, to be asked for and dropped as the application runs.
struct Scenario {
  /// nullptr: the scheduler's own.
  std::shared_ptr<Policy> policy = nullptr;
  std::map<TaskId, Timing> timings = {};
};

}  // namespace takt::model
