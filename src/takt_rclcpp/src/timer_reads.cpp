// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "timer_reads.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "takt_core/tasks/error.hpp"

namespace takt::rclcpp {

TopicsOfTasks topics_of_tasks(const SchedulingStrategy & strategy, const tasks::TaskNames & names) {
  TopicsOfTasks all;
  for (const SchedulingScenario & scenario : strategy.scenarios()) {
    for (const SchedulingScenario::Entry & entry : scenario.tasks()) {
      const auto & subscribed = entry.timing.subscribes.names();
      if (subscribed.empty() && entry.timing.max_age.empty()) continue;
      // names.find() searches all tasks.
      auto & topics = all[names.find(entry.id).callback.get()];
      topics.insert(topics.end(), subscribed.begin(), subscribed.end());
      for (const auto & [topic, age] : entry.timing.max_age) topics.push_back(topic);
    }
  }
  return all;
}

std::vector<tasks::TopicRead> reads_of(const TimerEntity & timer, const GivenOptions::Given & given,
                                       const TaskOf & task_of, const TopicsOfTasks & topics) {
  std::vector<tasks::TopicRead> reads;
  const auto has = [&reads](const tasks::Callback & subscription) {
    return std::any_of(reads.begin(), reads.end(), [&](const tasks::TopicRead & read) {
      return read.subscription.get() == &subscription;
    });
  };
  for (const auto & [weak, options] : given.reads) {
    const auto subscription = weak.lock();
    if (subscription == nullptr) continue;
    auto task = task_of(subscription);
    if (task == nullptr) {
      throw Error("'" + timer.id() + "' reads '" + subscription->get_topic_name() +
                  "', which another executor or a callback group without executor has");
    }
    reads.push_back({std::move(task), options});
  }
  const auto subscribed = topics.find(&timer);
  if (subscribed == topics.end()) return reads;
  for (const std::string & name : subscribed->second) {
    std::string topic;
    try {
      topic = timer.node().resolve_name(name, false);
    } catch (const Error &) {
      continue;  // reported by the check of the strategy
    }
    for (const auto & callback : timer.node().callbacks()) {
      if (callback->topic() != topic || has(*callback)) continue;
      reads.push_back({callback, {}});
    }
  }
  return reads;
}

}  // namespace takt::rclcpp
