// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "given_options.hpp"
#include "takt_core/tasks/scheduling_strategy.hpp"
#include "takt_core/tasks/task_names.hpp"
#include "timer_entity.hpp"

namespace takt::rclcpp {

/// The executor's task of a subscription; nullptr if it has none.
using TaskOf =
    std::function<std::shared_ptr<tasks::Callback>(const ::rclcpp::SubscriptionBase::SharedPtr &)>;

/// What a timer reads: what it was given, and of its node the subscriptions of the topics that the
/// strategy (nullptr: none) says it subscribes to. `names`: all tasks. Throws Error.
std::vector<tasks::TopicRead> reads_of(const TimerEntity & timer, const GivenOptions::Given & given,
                                       const TaskOf & task_of, const SchedulingStrategy * strategy,
                                       const tasks::TaskNames & names);

}  // namespace takt::rclcpp
