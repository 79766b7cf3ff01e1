// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rclcpp/subscription_base.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "takt_core/model/task.hpp"
#include "takt_core/tasks/callback.hpp"
#include "takt_core/tasks/duration.hpp"
#include "takt_core/tasks/topics.hpp"

namespace takt::rclcpp {

/// A subscription of the timer's node whose messages its job is given before it runs. The two are in
/// one callback group, which is mutually exclusive.
struct Read {
  ::rclcpp::SubscriptionBase::SharedPtr subscription;
  ReadOptions options = {};
};

/// The timing of an rclcpp entity's callback; what is not given stays as rclcpp has it.
struct TaskOptions {
  /// 1 to 98, higher is more urgent; for `fp`. Default: the lowest, and for a subscription the
  /// highest of the timers that read its topic.
  std::optional<int> priority = std::nullopt;
  /// Relative to the release, above 0; Duration::max() for none. Default: a timer's period, none for
  /// others.
  std::optional<Duration> deadline = std::nullopt;
  /// Of a steady timer, 0 or more: its releases lie at t0 + phase + k * period of the executor's grid
  /// instead of where rclcpp's timer began; reset() then goes on at the next point.
  std::optional<Duration> phase = std::nullopt;
  /// Of what is no timer, 0 or more: the least time between two releases.
  Duration min_interval = Duration::zero();
  /// Of a timer: what its jobs read. A subscription that is read has no jobs of its own unless it
  /// has options of its own that say `triggers`.
  std::vector<Read> reads = {};
  /// Of a subscription: whether a message releases a job of its own. Default: unless a timer reads it.
  std::optional<bool> triggers = std::nullopt;
  /// The topics on which its jobs publish, for who reads them with a `max_age`. Default: those of the
  /// node that none of its callbacks names, if it is the only one of the node that could.
  Topics publishes = {};
  /// Of a timer: it may be released beyond its grid, to refresh what another reads with a `max_age`;
  /// rclcpp's timer does not count such calls.
  bool extra_releases = false;
  /// Of a timer: overrun, how many further jobs may wait while one is unfinished. 0: skip, which is
  /// what rclcpp does.
  std::uint32_t queue = 0;
  /// CPU time that a job may use; 0: as much as it needs.
  Duration budget = Duration::zero();
  model::OnBudget on_budget = model::OnBudget::report;
  /// Which of the executor's processors it runs on: a place among its CPUs. Default: any.
  std::optional<std::size_t> processor = std::nullopt;
  /// The longest that a job takes of its CPU, for the choice of a processor. 0: its budget.
  Duration wcet = Duration::zero();
};

}  // namespace takt::rclcpp
