// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// How taking a large message of a node that does not depend on takt delays others, and what is
// reported.
#include "takes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <std_msgs/msg/string.hpp>
#include <string>

#include "testing/background.hpp"

namespace takt::rclcpp {
namespace {

using namespace std::chrono_literals;

class TakesTest : public testing::ExecutorTest {
 protected:
  bool told(const std::string & part) const {
    const auto lines = log();
    return std::any_of(lines.begin(), lines.end(), [&part](const std::string & line) {
      return line.find(part) != std::string::npos;
    });
  }
};

TEST_F(TakesTest, OneThatPutsOthersOffIsToldWithItsTopic) {
  SchedulingOptions options;
  options.policy = "fp";
  make_executor(options);
  const auto node = make_node("a");
  // In a group of its own, so that it is not the node's group that delays the timer.
  const auto group = node->create_callback_group(::rclcpp::CallbackGroupType::MutuallyExclusive);
  ::rclcpp::SubscriptionOptions of_group;
  of_group.callback_group = group;
  const auto subscription = node->create_subscription<std_msgs::msg::String>(
      "large", 1, [](const std_msgs::msg::String &) {}, of_group);
  testing::Watched<int> calls;
  const auto timer = node->create_wall_timer(500us, [&] { calls.add(1); });
  executor_->set_task(subscription, {.priority = 1});
  executor_->set_task(timer, {.priority = 90});
  const auto publisher = node->create_publisher<std_msgs::msg::String>("large", 1);
  executor_->add_node(node);
  start();
  ASSERT_TRUE(calls.wait_for_at_least(1));
  const bool preempts = executor_->grants().realtime;
  std_msgs::msg::String message;
  message.data.assign(8'000'000, 'x');
  const bool found = testing::eventually([&] {
    publisher->publish(message);
    return !preempts || told("was inside the middleware of '/large' for");
  });
  stop();
  if (!preempts) GTEST_SKIP() << "needs the right to real-time priorities";
  EXPECT_TRUE(found);
  EXPECT_TRUE(told("callback 'a/large' was inside the middleware of '/large' for"));
  EXPECT_TRUE(told("callback 'a/timer:500us' could not start for 150 us of it"));
}

}  // namespace
}  // namespace takt::rclcpp
