// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "given_options.hpp"
#include "takt_core/tasks/scheduling_strategy.hpp"
#include "takt_core/tasks/task_names.hpp"
#include "timer_entity.hpp"

namespace takt::rclcpp {

/// The executor's task of a subscription; nullptr if it has none.
using TaskOf =
    std::function<std::shared_ptr<tasks::Callback>(const ::rclcpp::SubscriptionBase::SharedPtr &)>;

/// The names of topics that a strategy says a task subscribes to, in any of its scenarios. Those whose
/// names are none are with nullptr.
using TopicsOfTasks = std::map<const tasks::Callback *, std::vector<std::string>>;
TopicsOfTasks topics_of_tasks(const SchedulingStrategy & strategy, const tasks::TaskNames & names);

/// What a timer reads: what it was given, and of its node the subscriptions of the topics that the
/// strategy says it subscribes to. Throws Error.
std::vector<tasks::TopicRead> reads_of(const TimerEntity & timer, const GivenOptions::Given & given,
                                       const TaskOf & task_of, const TopicsOfTasks & topics);

}  // namespace takt::rclcpp
