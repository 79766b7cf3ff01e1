// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// Subscriptions as tasks, and their groups and priorities.
#include "takt/subscription.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <std_msgs/msg/u_int64.hpp>
#include <std_srvs/srv/empty.hpp>
#include <string>
#include <vector>

#include "takt/exceptions.hpp"
#include "takt/takt.hpp"
#include "testing/background.hpp"
#include "testing/messages.hpp"
#include "testing/seen.hpp"

namespace takt {
namespace {

using namespace std::chrono_literals;
using std_msgs::msg::UInt64;
using testing::Seen;

class SubscriptionTest : public ::testing::Test {
 protected:
  bool has_task(SchedulingExecutor & executor, const std::string & id) {
    const auto tasks = executor.tasks();
    return std::any_of(tasks.begin(), tasks.end(),
                       [&id](const auto & task) { return task.second == id; });
  }
  std::shared_ptr<Subscription<UInt64>> subscribe(const SubscriptionOptions & options = {}) {
    return node_->create_subscription<UInt64>(
        "t", 10, [this](const UInt64 & message) { seen_.add({message.data, *current_job()}); },
        options);
  }
  void publish(std::uint64_t value) { publisher_->publish(testing::number(value)); }

  std::shared_ptr<Context> context_ = testing::make_context();
  std::shared_ptr<Node> node_ = std::make_shared<Node>("node", NodeOptions{.context = context_});
  std::shared_ptr<Publisher<UInt64>> publisher_ = node_->create_publisher<UInt64>("t", 10);
  Seen<std::pair<std::uint64_t, JobInfo>> seen_;
  testing::Background<SchedulingExecutor> background_{context_};
};

TEST_F(SubscriptionTest, EachMessageIsAJobReleasedByItsPublication) {
  const auto subscription = subscribe();
  background_.add(node_);
  background_.start();
  for (std::uint64_t i = 0; i < 5; ++i) publish(i);
  const auto seen = seen_.wait_for(5);
  ASSERT_EQ(seen.size(), 5u);
  for (std::uint64_t i = 0; i < 5; ++i) {
    EXPECT_EQ(seen[i].first, i);
    EXPECT_EQ(seen[i].second.index, i);
    EXPECT_LE(seen[i].second.release, seen[i].second.start);
  }
  background_.stop();
  EXPECT_EQ(background_.executor().counters("node/t").finished, 5u);
}

TEST_F(SubscriptionTest, MessagesThatCameBeforeTheExecutorAreNotForgotten) {
  const auto subscription = subscribe();
  for (std::uint64_t i = 0; i < 3; ++i) publish(i);
  background_.add(node_);
  background_.start();
  EXPECT_EQ(seen_.wait_for(3).size(), 3u);
}

TEST_F(SubscriptionTest, AMinimumIntervalIsKept) {
  const auto subscription = subscribe({.min_interval = 20ms});
  background_.add(node_);
  background_.start();
  for (std::uint64_t i = 0; i < 4; ++i) publish(i);
  const auto seen = seen_.wait_for(4);
  ASSERT_EQ(seen.size(), 4u);
  for (std::size_t i = 1; i < 4; ++i) {
    EXPECT_GE(seen[i].second.start - seen[i - 1].second.release, 20'000'000);
    EXPECT_GE(seen[i].second.release - seen[i - 1].second.release, 20'000'000);
  }
}

TEST_F(SubscriptionTest, WhatATimerReadsIsNoTask) {
  const auto subscription = subscribe();
  background_.add(node_);
  auto & executor = background_.executor();
  EXPECT_TRUE(has_task(executor, "node/t"));
  auto timer = node_->create_timer("read", 10ms, {.reads = {{subscription}}}, [] {});
  EXPECT_FALSE(has_task(executor, "node/t"));
  timer.reset();
  EXPECT_TRUE(has_task(executor, "node/t"));
}

TEST_F(SubscriptionTest, WhatATimerReadsMayTriggerAllTheSame) {
  const auto subscription = subscribe({.triggers = true});
  const auto timer = node_->create_timer("read", 10ms, {.reads = {{subscription}}}, [] {});
  background_.add(node_);
  EXPECT_TRUE(has_task(background_.executor(), "node/t"));
}

TEST_F(SubscriptionTest, PriorityIsTheHighestOfTheReadersOfTheTopicInTheNode) {
  const auto reader = subscribe({.triggers = true});
  const auto alone = node_->create_subscription<UInt64>("t", 1, [](const UInt64 &) {});
  EXPECT_EQ(alone->task().priority, model::lowest_priority);
  const auto low = node_->create_timer("low", 10ms, {.priority = 20, .reads = {{reader}}}, [] {});
  auto high = node_->create_timer("high", 10ms, {.priority = 70, .reads = {{reader}}}, [] {});
  const auto unrelated = node_->create_timer("unrelated", 10ms, {.priority = 90}, [] {});
  EXPECT_EQ(reader->task().priority, 70);
  EXPECT_EQ(alone->task().priority, 70);
  high.reset();
  EXPECT_EQ(alone->task().priority, 20);
  const auto given = subscribe({.priority = 33, .triggers = true});
  EXPECT_EQ(given->task().priority, 33);
  const auto other = std::make_shared<Node>("other", NodeOptions{.context = context_});
  const auto elsewhere = other->create_subscription<UInt64>("t", 1, [](const UInt64 &) {});
  EXPECT_EQ(elsewhere->task().priority, model::lowest_priority);
}

TEST_F(SubscriptionTest, PeriodAndDeadlineAreTheShortestOfTheReadersOfTheTopicInTheNode) {
  const auto reader = subscribe({.triggers = true});
  const auto alone = node_->create_subscription<UInt64>("t", 1, [](const UInt64 &) {});
  EXPECT_EQ(alone->task().rank_period, 0);
  EXPECT_EQ(alone->task().deadline, model::never);
  const auto slow = node_->create_timer("slow", 40ms, {.reads = {{reader}}}, [] {});
  auto fast = node_->create_timer("fast", 20ms, {.deadline = 15ms, .reads = {{reader}}}, [] {});
  const auto unrelated = node_->create_timer("unrelated", 5ms, [] {});
  for (const auto & subscription : {reader, alone}) {
    EXPECT_EQ(subscription->task().period, 0);
    EXPECT_EQ(subscription->task().rank_period, 20'000'000);
    EXPECT_EQ(subscription->task().deadline, 15'000'000);
  }
  fast.reset();
  EXPECT_EQ(alone->task().rank_period, 40'000'000);
  EXPECT_EQ(alone->task().deadline, 40'000'000);
  const auto given = subscribe({.min_interval = 90ms, .deadline = 80ms, .triggers = true})->task();
  EXPECT_EQ(given.period, 90'000'000);
  EXPECT_EQ(given.deadline, 80'000'000);
  EXPECT_EQ(subscribe({.deadline = Duration::max()})->task().deadline, model::never);
}

TEST_F(SubscriptionTest, OneWhoseTopicIsReadGoesBeforeOneThatNobodyReads) {
  for (const char * policy : {"np-fp", "np-rm", "np-dm", "np-edf"}) {
    const auto node = std::make_shared<Node>("node", NodeOptions{.context = context_});
    SchedulingExecutor executor({.policy = policy, .lock_memory = false, .context = context_});
    std::string order;
    const auto say = [&](const char * name) {
      return [&, name](const UInt64 &) {
        order += name;
        if (order.size() == 2) executor.cancel();
      };
    };
    const auto unread = node->create_subscription<UInt64>("unread", 1, say("u"));
    const auto read = node->create_subscription<UInt64>("t", 1, say("r"), {.triggers = true});
    const auto timer =
        node->create_timer("read", 1h, {.priority = 2, .phase = 1h, .reads = {{read}}}, [] {});
    const auto to_unread = node->create_publisher<UInt64>("unread", 1);
    executor.add_node(node);
    to_unread->publish(UInt64());
    publish(1);
    executor.spin();
    EXPECT_EQ(order, "ru") << policy;
  }
}

TEST_F(SubscriptionTest, SharesTheGroupOfItsReader) {
  const auto subscription = subscribe();
  EXPECT_EQ(subscription->group(), node_->base()->default_group());
  const auto group = node_->create_callback_group(CallbackGroupType::mutually_exclusive);
  const auto timer =
      node_->create_timer("read", 10ms, {.reads = {{subscription}}, .group = group}, [] {});
  EXPECT_EQ(subscription->group(), group);
}

TEST_F(SubscriptionTest, RefusesReadersThatCouldRunAtTheSameTime) {
  const auto group = node_->create_callback_group(CallbackGroupType::mutually_exclusive);
  const auto subscription = subscribe();
  const auto timer = node_->create_timer("a", 10ms, {.reads = {{subscription}}}, [] {});
  EXPECT_THROW(node_->create_timer("b", 10ms, {.reads = {{subscription}}, .group = group}, [] {}),
               Error);
  const auto grouped = subscribe({.group = group});
  EXPECT_THROW(node_->create_timer("c", 10ms, {.reads = {{grouped}}}, [] {}), Error);
  // A refused timer has no effect on the subscription afterwards.
  EXPECT_EQ(subscription->group(), node_->base()->default_group());
  const auto again = node_->create_timer("b", 10ms, {.reads = {{subscription}}}, [] {});
}

TEST_F(SubscriptionTest, ATimerReadsOnlySubscriptionsOfItsNode) {
  const auto other = std::make_shared<Node>("other", NodeOptions{.context = context_});
  const auto elsewhere = other->create_subscription<UInt64>("t", 1, [](const UInt64 &) {});
  EXPECT_THROW(node_->create_timer("a", 10ms, {.reads = {{elsewhere}}}, [] {}), Error);
  EXPECT_THROW(node_->create_timer("a", 10ms, {.reads = {{nullptr}}}, [] {}), Error);
}

TEST_F(SubscriptionTest, TimingOutOfRangeIsRefused) {
  EXPECT_THROW(subscribe({.priority = 99}), Error);
  EXPECT_THROW(subscribe({.min_interval = -1ns}), Error);
  EXPECT_THROW(node_->create_client<std_srvs::srv::Empty>("s", {.priority = 0}), Error);
  try {
    subscribe({.priority = 99});
  } catch (const Error & error) {
    EXPECT_STREQ(error.what(), "task 't': priority must be from 1 to 98, not 99");
  }
  background_.add(node_);
  EXPECT_FALSE(has_task(background_.executor(), "node/t"));
}

TEST_F(SubscriptionTest, SecondSubscriptionsGetANumber) {
  const auto first = subscribe();
  const auto second = subscribe();
  EXPECT_EQ(first->id(), "node/t");
  EXPECT_EQ(second->id(), "node/t#2");
}

TEST_F(SubscriptionTest, CallbacksMayTakeACopyOfTheirOwn) {
  UInt64::SharedPtr shared;
  UInt64::UniquePtr unique;
  std::shared_ptr<const UInt64> same;
  Seen<int> seen;
  const auto first = node_->create_subscription<UInt64>("t", 1, [&](UInt64::SharedPtr message) {
    message->data += 1;
    shared = std::move(message);
    seen.add(1);
  });
  const auto second = node_->create_subscription<UInt64>(
      "t", 1, [&](UInt64::UniquePtr message, const MessageInfo & info) {
        EXPECT_GT(info.source_timestamp, 0);
        message->data += 2;
        unique = std::move(message);
        seen.add(2);
      });
  const auto third =
      node_->create_subscription<UInt64>("t", 1, [&](std::shared_ptr<const UInt64> message) {
        same = std::move(message);
        seen.add(3);
      });
  background_.add(node_);
  background_.start();
  publish(42);
  seen.wait_for(3);
  background_.stop();
  EXPECT_EQ(shared->data, 43u);
  EXPECT_EQ(unique->data, 44u);
  EXPECT_EQ(same->data, 42u);
}

TEST_F(SubscriptionTest, MessagesOutliveWhoPublishedThem) {
  std::shared_ptr<const UInt64> kept;
  Seen<int> seen;
  const auto subscription =
      node_->create_subscription<UInt64>("t", 1, [&](std::shared_ptr<const UInt64> message) {
        kept = std::move(message);
        seen.add(1);
      });
  background_.add(node_);
  background_.start();
  publish(42);
  seen.wait_for(1);
  background_.stop();
  publisher_.reset();
  ASSERT_NE(kept, nullptr);
  EXPECT_EQ(kept->data, 42u);
}

}  // namespace
}  // namespace takt
