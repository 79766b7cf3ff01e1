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

/// Returns the executor's task of a subscription; nullptr if it has none.
using TaskOf =
    std::function<std::shared_ptr<tasks::Callback>(const ::rclcpp::SubscriptionBase::SharedPtr &)>;

/// Maps each task to the names of the topics that it subscribes to, in any scenario of a strategy. Topics of
/// unknown tasks are listed under nullptr.
using TopicsOfTasks = std::map<const tasks::Callback *, std::vector<std::string>>;
TopicsOfTasks topics_of_tasks(const SchedulingStrategy & strategy, const tasks::TaskNames & names);

/// Returns what a timer reads: the subscriptions in its options, and those of its node to the topics that
/// the strategy says it subscribes to. Throws Error.
std::vector<tasks::TopicRead> reads_of(const TimerEntity & timer, const GivenOptions::Given & given,
                                       const TaskOf & task_of, const TopicsOfTasks & topics);

}  // namespace takt::rclcpp
