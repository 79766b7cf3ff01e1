// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// Items that were announced to one task or executor and not taken before another one takes over.
#include <gmock/gmock.h>

#include <atomic>
#include <std_msgs/msg/u_int64.hpp>
#include <test_msgs/srv/empty.hpp>

#include "testing/background.hpp"

namespace takt::rclcpp {
namespace {

using namespace std::chrono_literals;
using testing::Watched;
using Message = std_msgs::msg::UInt64;
using Empty = test_msgs::srv::Empty;

/// With a second executor, on a thread of its own.
class HandoverTest : public testing::ExecutorTest, public ::testing::WithParamInterface<bool> {
 protected:
  ~HandoverTest() override { stop_other(); }
  void start_other() {
    other_thread_ = std::thread([this] { other_->spin(); });
  }
  void stop_other() {
    if (!other_thread_.joinable()) return;
    other_->cancel();
    other_thread_.join();
  }
  ::rclcpp::Node::SharedPtr one_node(const std::string & name) {
    return make_node(name, ::rclcpp::NodeOptions().use_intra_process_comms(GetParam()));
  }

  bool other_has(const std::string & name) const {
    const auto all = other_->tasks();
    return std::any_of(all.begin(), all.end(),
                       [&](const auto & task) { return task.second == name; });
  }

  const std::shared_ptr<SchedulingExecutor> other_ = one_more();
  std::thread other_thread_;
};

TEST_P(HandoverTest, ANodeGoesFromOneExecutorToAnotherAndBack) {
  const auto node = one_node("a");
  Watched<int> messages;
  Watched<int> calls;
  const auto subscription =
      node->create_subscription<Message>("topic", 10, [&](const Message &) { messages.add(1); });
  const auto publisher = node->create_publisher<Message>("topic", 10);
  const auto timer = node->create_wall_timer(1ms, [&] { calls.add(1); });
  const auto service = node->create_service<Empty>(
      "ask", [](Empty::Request::SharedPtr, Empty::Response::SharedPtr) {});
  const auto client = node->create_client<Empty>("ask");
  start();
  start_other();
  ASSERT_TRUE(testing::eventually([&] { return publisher->get_subscription_count() > 0; }));
  ASSERT_TRUE(client->wait_for_service(testing::patience));
  for (int i = 0; i < 20; ++i) {
    SchedulingExecutor & to = i % 2 == 0 ? *executor_ : *other_;
    to.add_node(node);
    const int before = messages.get();
    publisher->publish(Message());
    ASSERT_TRUE(messages.wait_for_at_least(before + 1)) << i;
    auto future = client->async_send_request(std::make_shared<Empty::Request>());
    ASSERT_EQ(future.wait_for(testing::patience), std::future_status::ready) << i;
    ASSERT_TRUE(calls.wait_for_at_least(calls.get() + 2)) << i;
    to.remove_node(node);
  }
  stop();
  stop_other();
}

TEST_P(HandoverTest, WhoeverHasLetANodeGoLeavesItAlone) {
  const auto node = one_node("a");
  Watched<int> messages;
  const auto subscription =
      node->create_subscription<Message>("topic", 10, [&](const Message &) { messages.add(1); });
  const auto publisher = node->create_publisher<Message>("topic", 10);
  ASSERT_TRUE(testing::eventually([&] { return publisher->get_subscription_count() > 0; }));
  executor_->add_node(node);
  start();
  ASSERT_TRUE(testing::eventually([&] { return executor_->processor().spinning(); }));
  stop();
  executor_->remove_node(node);
  other_->add_node(node);
  start_other();
  ASSERT_TRUE(testing::eventually([&] { return other_has("a/topic"); }));
  // The first executor updates its tasks and is destroyed, which must not affect the node.
  EXPECT_TRUE(tasks().empty());
  executor_.reset();
  for (int i = 1; i <= 3; ++i) {
    publisher->publish(Message());
    EXPECT_TRUE(messages.wait_for_at_least(i)) << i;
  }
  stop_other();
}

TEST_P(HandoverTest, WhatWasLeftBehindIsTakenAfterTheFirst) {
  const auto node = one_node("a");
  Watched<int> messages;
  std::uint64_t last = 0;
  const auto subscription =
      node->create_subscription<Message>("topic", 10, [&](const Message & message) {
        EXPECT_EQ(message.data, last + 1);
        last = message.data;
        messages.add(1);
      });
  const auto publisher = node->create_publisher<Message>("topic", 10);
  std::uint64_t sent = 0;
  const auto publish = [&] {
    Message message;
    message.data = ++sent;
    publisher->publish(message);
  };
  Watched<bool> removed;
  const auto timer = node->create_wall_timer(1ms, [&] {
    if (removed.get()) return;
    // This job occupies the node's group, so no other job takes the messages.
    for (int i = 0; i < 5; ++i) publish();
    executor_->remove_node(node);
    removed.set(true);
  });
  ASSERT_TRUE(testing::eventually([&] { return publisher->get_subscription_count() > 0; }));
  executor_->add_node(node);
  start();
  ASSERT_TRUE(removed.wait_for_at_least(true));
  other_->add_node(node);
  start_other();
  ASSERT_TRUE(testing::eventually([&] { return other_has("a/topic"); }));
  publish();
  EXPECT_TRUE(messages.wait_for_at_least(6)) << messages.get();
  stop();
  stop_other();
}

TEST_P(HandoverTest, WhatWaitsGoesOnUnderOtherOptions) {
  const auto node = one_node("a");
  Watched<int> messages;
  const auto subscription =
      node->create_subscription<Message>("topic", 10, [&](const Message &) { messages.add(1); });
  const auto publisher = node->create_publisher<Message>("topic", 10);
  const auto service = node->create_service<Empty>(
      "ask", [](Empty::Request::SharedPtr, Empty::Response::SharedPtr) {});
  const auto client = node->create_client<Empty>("ask");
  ASSERT_TRUE(testing::eventually([&] { return publisher->get_subscription_count() > 0; }));
  ASSERT_TRUE(client->wait_for_service(testing::patience));
  std::shared_future<Empty::Response::SharedPtr> future;
  const auto timer = node->create_wall_timer(1ms, [&] {
    for (int i = 0; i < 5; ++i) publisher->publish(Message());
    future = client->async_send_request(std::make_shared<Empty::Request>()).future.share();
    executor_->cancel();
  });
  executor_->add_node(node);
  executor_->spin();
  timer->cancel();
  // With new options, each entity becomes a new task.
  executor_->set_task(subscription, {.priority = 7});
  executor_->set_task(service, {.priority = 8});
  executor_->set_task(client, {.priority = 9});
  start();
  EXPECT_TRUE(messages.wait_for_at_least(5)) << messages.get();
  EXPECT_EQ(future.wait_for(testing::patience), std::future_status::ready);
  stop();
}

TEST_P(HandoverTest, OptionsChangeAgainAndAgainAsMessagesCome) {
  const auto node = one_node("a");
  constexpr int count = 2000;
  Watched<int> messages;
  int others = 0;  // messages out of order
  const auto qos = ::rclcpp::QoS(::rclcpp::KeepLast(count)).reliable();
  const auto subscription =
      node->create_subscription<Message>("topic", qos, [&](const Message & message) {
        if (message.data != static_cast<std::uint64_t>(messages.get())) ++others;
        messages.add(1);
      });
  const auto publisher = node->create_publisher<Message>("topic", qos);
  ASSERT_TRUE(testing::eventually([&] { return publisher->get_subscription_count() > 0; }));
  executor_->add_node(node);
  start();
  Message message;
  for (int i = 0; i < count; ++i) {
    message.data = static_cast<std::uint64_t>(i);
    publisher->publish(message);
    if (i % 20 == 0) executor_->set_task(subscription, {.priority = 1 + i % 90});
  }
  EXPECT_TRUE(messages.wait_for_at_least(count)) << messages.get();
  stop();
  EXPECT_EQ(messages.get(), count);
  EXPECT_EQ(others, 0);
}

INSTANTIATE_TEST_SUITE_P(ByTheMiddlewareAndInside, HandoverTest, ::testing::Bool(),
                         [](const auto & of) { return of.param ? "Inside" : "Middleware"; });

}  // namespace
}  // namespace takt::rclcpp
