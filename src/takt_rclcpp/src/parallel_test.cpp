// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// Callback groups on several CPUs.
#include <gmock/gmock.h>
#include <sched.h>

#include <atomic>
#include <std_msgs/msg/u_int64.hpp>
#include <test_msgs/srv/empty.hpp>

#include "testing/background.hpp"

namespace takt::rclcpp {
namespace {

using namespace std::chrono_literals;
using testing::Watched;
using Empty = test_msgs::srv::Empty;

class ParallelTest : public testing::ExecutorTest {
 protected:
  void SetUp() override {
    cpu_set_t set;
    sched_getaffinity(0, sizeof set, &set);
    std::vector<int> cpus;
    for (int cpu = 0; cpu < CPU_SETSIZE && cpus.size() < 2; ++cpu) {
      if (CPU_ISSET(cpu, &set)) cpus.push_back(cpu);
    }
    if (cpus.size() < 2) GTEST_SKIP() << "needs two CPUs";
    make_executor({.cpus = cpus});
  }

  /// Creates a timer in each group, on different CPUs. Each job waits until the other timer has
  /// started.
  void expect_to_run_at_once(const ::rclcpp::Node::SharedPtr & node,
                             const ::rclcpp::CallbackGroup::SharedPtr & group,
                             const ::rclcpp::CallbackGroup::SharedPtr & other) {
    Watched<int> first;
    Watched<int> second;
    Watched<int> met;
    const auto meet = [&met](Watched<int> & own, Watched<int> & others) {
      own.add(1);
      if (others.wait_for_at_least(1)) met.add(1);
    };
    const auto one = node->create_wall_timer(5ms, [&] { meet(first, second); }, group);
    const auto two = node->create_wall_timer(5ms, [&] { meet(second, first); }, other);
    executor_->set_task(one, {.processor = 0});
    executor_->set_task(two, {.processor = 1});
    executor_->add_node(node);
    start();
    EXPECT_TRUE(met.wait_for_at_least(2));
    stop();
  }
};

TEST_F(ParallelTest, MembersOfAReentrantGroupRunAtOnce) {
  const auto node = make_node("a");
  const auto group = node->create_callback_group(::rclcpp::CallbackGroupType::Reentrant);
  expect_to_run_at_once(node, group, group);
}

TEST_F(ParallelTest, TwoGroupsRunAtOnce) {
  const auto node = make_node("a");
  const auto group = node->create_callback_group(::rclcpp::CallbackGroupType::MutuallyExclusive);
  expect_to_run_at_once(node, nullptr, group);
}

TEST_F(ParallelTest, MembersOfAnExclusiveGroupNeverDo) {
  const auto node = make_node("a");
  std::atomic<int> inside = 0;
  std::atomic<bool> together = false;
  Watched<int> jobs;
  const auto job = [&] {
    if (inside.fetch_add(1) > 0) together = true;
    testing::busy_for(300us);
    inside.fetch_sub(1);
    jobs.add(1);
  };
  const auto publisher = node->create_publisher<std_msgs::msg::UInt64>("topic", 10);
  const auto subscription = node->create_subscription<std_msgs::msg::UInt64>(
      "topic", 10, [&](const std_msgs::msg::UInt64 &) { job(); });
  const auto one = node->create_wall_timer(1ms, [&] {
    job();
    publisher->publish(std_msgs::msg::UInt64());
  });
  const auto two = node->create_wall_timer(1500us, job);
  executor_->add_node(node);
  start();
  EXPECT_TRUE(jobs.wait_for_at_least(300));
  stop();
  EXPECT_FALSE(together.load());
}

TEST_F(ParallelTest, OneEntityNeverRunsTwiceAtATime) {
  const auto node = make_node("a");
  const auto group = node->create_callback_group(::rclcpp::CallbackGroupType::Reentrant);
  std::atomic<int> inside = 0;
  std::atomic<bool> together = false;
  Watched<int> jobs;
  const auto timer = node->create_wall_timer(
      1ms,
      [&] {
        if (inside.fetch_add(1) > 0) together = true;
        testing::busy_for(3ms);
        inside.fetch_sub(1);
        jobs.add(1);
      },
      group);
  executor_->add_node(node);
  start();
  EXPECT_TRUE(jobs.wait_for_at_least(20));
  stop();
  EXPECT_FALSE(together.load());
}

/// A common pattern with the multi-threaded executor: a callback of `node` waits for a response of
/// `serving`, whose callback is in another group.
struct Asking {
  using Group = ::rclcpp::CallbackGroup::SharedPtr;
  Asking(const ::rclcpp::Node::SharedPtr & node, const ::rclcpp::Node::SharedPtr & serving,
         const Group & group, const Group & group_of_service, std::chrono::seconds patience)
      : service(serving->create_service<Empty>(
            "ask", [](Empty::Request::SharedPtr, Empty::Response::SharedPtr) {},
            ::rclcpp::ServicesQoS(), group_of_service)),
        client(node->create_client<Empty>("ask", ::rclcpp::ServicesQoS(), group)),
        timer(node->create_wall_timer(5ms, [this, patience] {
          auto future = client->async_send_request(std::make_shared<Empty::Request>());
          (future.wait_for(patience) == std::future_status::ready ? answers : failures).add(1);
        })) {}

  Watched<int> answers;
  Watched<int> failures;
  const ::rclcpp::Service<Empty>::SharedPtr service;
  const ::rclcpp::Client<Empty>::SharedPtr client;
  const ::rclcpp::TimerBase::SharedPtr timer;
};

// Client and service are on different CPUs.
TEST_F(ParallelTest, ACallbackMayWaitForAResponseOnAnotherCpu) {
  const auto node = make_node("a");
  const auto group = node->create_callback_group(::rclcpp::CallbackGroupType::MutuallyExclusive);
  const auto serving = make_node("b");
  Asking asking(node, serving, group, nullptr, testing::patience);
  executor_->set_task(asking.timer, {.processor = 0});
  executor_->set_task(asking.client, {.processor = 1});
  executor_->set_task(asking.service, {.processor = 1});
  executor_->add_node(node);
  executor_->add_node(serving);
  ASSERT_TRUE(asking.client->wait_for_service(testing::patience));
  start();
  EXPECT_TRUE(asking.answers.wait_for_at_least(3));
  stop();
}

// Tasks are placed automatically. The wait is shorter, so that the test fails instead of blocking.
TEST_F(ParallelTest, ACallbackMayWaitForAResponseWithNothingSaid) {
  const auto node = make_node("a");
  const auto group = node->create_callback_group(::rclcpp::CallbackGroupType::Reentrant);
  Asking asking(node, node, group, group, 2s);
  executor_->add_node(node);
  ASSERT_TRUE(asking.client->wait_for_service(testing::patience));
  start();
  EXPECT_TRUE(
      testing::eventually([&] { return asking.answers.get() + asking.failures.get() > 0; }));
  EXPECT_GT(asking.answers.get(), 0);
  stop();
}

// On one CPU, the service must be more urgent: a waiting callback holds up its preemption level and
// those below.
TEST_F(ParallelTest, ACallbackMayWaitForAResponseThatIsMoreUrgent) {
  make_executor({.policy = "fp"});
  const auto node = make_node("a");
  const auto group = node->create_callback_group(::rclcpp::CallbackGroupType::MutuallyExclusive);
  const auto serving = make_node("b");
  Asking asking(node, serving, group, nullptr, 2s);
  executor_->set_task(asking.timer, {.priority = 10});
  executor_->set_task(asking.client, {.priority = 20});
  executor_->set_task(asking.service, {.priority = 20});
  executor_->add_node(node);
  executor_->add_node(serving);
  ASSERT_TRUE(asking.client->wait_for_service(testing::patience));
  start();
  EXPECT_TRUE(
      testing::eventually([&] { return asking.answers.get() + asking.failures.get() > 2; }));
  const bool preempts = executor_->grants().realtime;
  const int failed = asking.failures.get();  // a wait that the end interrupts may fail
  stop();
  if (!preempts) GTEST_SKIP() << "needs the right to real-time priorities";
  EXPECT_EQ(failed, 0);
}

TEST_F(ParallelTest, EntitiesComeAndGoOnSeveralCpus) {
  const auto node = make_node("a");
  executor_->add_node(node);
  start();
  for (int i = 0; i < 20; ++i) {
    Watched<int> calls;
    Watched<int> others;
    auto later = make_node("b");
    auto timer = later->create_wall_timer(1ms, [&] { calls.add(1); });
    auto other = node->create_wall_timer(1ms, [&] { others.add(1); });
    executor_->add_node(later);
    ASSERT_TRUE(calls.wait_for_at_least(2));
    ASSERT_TRUE(others.wait_for_at_least(2));
    executor_->remove_node(later);
    const std::weak_ptr<::rclcpp::TimerBase> a = timer;
    const std::weak_ptr<::rclcpp::TimerBase> b = other;
    timer.reset();
    other.reset();
    ASSERT_TRUE(testing::eventually([&] { return a.expired() && b.expired(); }));
  }
  stop();
}

TEST_F(ParallelTest, ExceptionsLeaveSpin) {
  const auto node = make_node("a");
  const auto timer = node->create_wall_timer(1ms, [] { throw std::logic_error("a fault"); });
  const auto other = node->create_wall_timer(
      1ms, [] {}, node->create_callback_group(::rclcpp::CallbackGroupType::Reentrant));
  executor_->add_node(node);
  EXPECT_THROW(executor_->spin(), std::logic_error);
}

}  // namespace
}  // namespace takt::rclcpp
