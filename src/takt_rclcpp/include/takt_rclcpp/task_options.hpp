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

/// A subscription whose messages are delivered at the start of each job of a timer. Both must belong to
/// one node and to one mutually exclusive callback group.
struct Read {
  ::rclcpp::SubscriptionBase::SharedPtr subscription;
  ReadOptions options = {};
};

/// The timing of the callback of an rclcpp entity. Where an option is not given, rclcpp's behaviour
/// remains.
struct TaskOptions {
  /// Priority under the policy `fp`: 1 to 98, higher is more urgent. Default: 1, the lowest; for a
  /// subscription, the highest priority of the timers that read its topic.
  std::optional<int> priority = std::nullopt;
  /// Deadline relative to the release, above 0. Duration::max(): no deadline. Default: the period of a
  /// timer; no deadline for other entities.
  std::optional<Duration> deadline = std::nullopt;
  /// Only for a timer on steady time: offset of its releases, at least 0. The releases then lie on the
  /// executor's grid, at t0 + phase + k * period, instead of beginning when the rclcpp timer was
  /// created; after a reset() they continue on the same grid.
  std::optional<Duration> phase = std::nullopt;
  /// Only for entities other than timers: minimum inter-arrival time of releases, at least 0. 0: none.
  Duration min_interval = Duration::zero();
  /// Only for a timer: the subscriptions that its jobs read. A subscription that is read has no jobs of
  /// its own, unless its own options set `triggers` to true.
  std::vector<Read> reads = {};
  /// Only for a subscription: whether each message releases a job of the subscription. Default: true
  /// unless a timer reads it.
  std::optional<bool> triggers = std::nullopt;
  /// The topics on which the jobs publish. They are needed where other tasks read these topics with a
  /// `max_age`. Default: the topics published by the node that no callback of the node names, provided
  /// that this is the only callback of the node that could publish them.
  Topics publishes = {};
  /// Only for a timer: whether the executor may release extra jobs, beyond the timer's grid, to refresh
  /// data that another task reads with a `max_age`. rclcpp's timer does not count such calls.
  bool extra_releases = false;
  /// Only for a timer: the reaction to overruns, how many further jobs may wait while one is unfinished, at
  /// most model::longest_queue. 0: such releases are skipped, as in rclcpp.
  std::uint32_t queue = 0;
  /// CPU time that one job may use. 0: unlimited.
  Duration budget = Duration::zero();
  /// The reaction when a job has used up its budget. `background` is allowed only if no other callback
  /// is in the entity's mutually exclusive group, or if its group is reentrant.
  model::OnBudget on_budget = model::OnBudget::report;
  /// The index of the executor's processor that runs the jobs: an index in SchedulingOptions::cpus, from
  /// 0. Default: the executor places the task.
  std::optional<std::size_t> processor = std::nullopt;
  /// Worst-case execution time of a job, at least 0. It is used only to place the task on a processor;
  /// it is not enforced. 0: the budget is used instead.
  Duration wcet = Duration::zero();
};

}  // namespace takt::rclcpp
