// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// Nodes, groups and entities that are added, removed and destroyed while the executor spins.
#include <gmock/gmock.h>

#include <atomic>
#include <std_msgs/msg/u_int64.hpp>
#include <test_msgs/srv/empty.hpp>
#include <thread>
#include <vector>

#include "testing/background.hpp"

namespace takt::rclcpp {
namespace {

using namespace std::chrono_literals;
using testing::Watched;
using Message = std_msgs::msg::UInt64;
using Empty = test_msgs::srv::Empty;

class ComingAndGoingTest : public testing::ExecutorTest {};

TEST_F(ComingAndGoingTest, WhatHasAnExecutorIsRefused) {
  const auto node = make_node("a");
  executor_->add_node(node);
  for (const bool spins : {false, true}) {
    if (spins) {
      start();
      ASSERT_TRUE(testing::eventually([&] { return executor_->processor().spinning(); }));
    }
    EXPECT_THROW(executor_->add_node(node), std::runtime_error);
    const auto group =
        node->create_callback_group(::rclcpp::CallbackGroupType::MutuallyExclusive, false);
    const auto base = node->get_node_base_interface();
    EXPECT_THROW(executor_->remove_callback_group(group), std::runtime_error);
    executor_->add_callback_group(group, base);
    EXPECT_THROW(executor_->add_callback_group(group, base), std::runtime_error);
    executor_->remove_callback_group(group);
    EXPECT_THROW(executor_->remove_node(make_node("b")), std::runtime_error);
  }
  stop();
}

TEST_F(ComingAndGoingTest, ANodeRemovedByItsOwnCallbackRunsNoMore) {
  const auto node = make_node("a");
  const auto other = make_node("b");
  int calls = 0;
  const auto timer = node->create_wall_timer(1ms, [&] {
    if (++calls == 3) executor_->remove_node(node);
  });
  Watched<int> others;
  const auto beat = other->create_wall_timer(1ms, [&] { others.add(1); });
  executor_->add_node(node);
  executor_->add_node(other);
  start();
  ASSERT_TRUE(testing::eventually([&] { return has("b/timer:1ms") && !has("a/timer:1ms"); }));
  ASSERT_TRUE(others.wait_for_at_least(others.get() + 10));
  stop();
  EXPECT_GE(calls, 3);
  // After spin(), the node can be added again, to this executor or another one.
  executor_->add_node(node);
}

TEST_F(ComingAndGoingTest, WhatACallbackUsesMayGoWhenRemovalsAreFinished) {
  std::vector<::rclcpp::TimerBase::SharedPtr> timers;
  Watched<int> inside;
  Watched<int> go_on;
  Watched<int> left;
  const auto node = make_node("a");
  timers.push_back(node->create_wall_timer(1ms, [&] {
    inside.add(1);
    EXPECT_TRUE(go_on.wait_for_at_least(1));
    executor_->finish_removals();  // returns at once, because it is called in a callback
    left.add(1);
  }));
  executor_->add_node(node);
  executor_->finish_removals();
  start();
  ASSERT_TRUE(inside.wait_for_at_least(1));
  executor_->remove_node(node);
  std::atomic<bool> finishing = false;
  std::thread other([&] {
    EXPECT_TRUE(testing::eventually([&] { return finishing.load(); }));
    go_on.set(1);
  });
  finishing = true;
  executor_->finish_removals();
  EXPECT_EQ(left.get(), 1);
  other.join();
  stop();
  EXPECT_EQ(inside.get(), 1);
}

/// A container that ends unloads its libraries next, and with them the code that destroys a node.
TEST_F(ComingAndGoingTest, NothingIsKeptOfANodeThatGoesWhileSpinningEnds) {
  for (int i = 0; i < 40; ++i) {
    auto node = make_node("a" + std::to_string(i));
    auto subscription = node->create_subscription<Message>("x", 10, [](const Message &) {});
    executor_->add_node(node);
    start();
    ASSERT_TRUE(testing::eventually([&] { return executor_->processor().spinning(); }));
    executor_->cancel();
    // An instant between the request to end and the end of spin(), which differs in each round.
    testing::busy_for(i * 12us);
    executor_->remove_node(node);
    if (i % 2 == 0) {
      executor_->finish_removals();
    } else {
      stop();
    }
    const std::weak_ptr<const void> base = node->get_node_base_interface();
    subscription.reset();
    node.reset();
    EXPECT_TRUE(base.expired()) << i;
    stop();
  }
}

TEST_F(ComingAndGoingTest, CallbacksMakeAndDropNodesAndEntities) {
  const auto node = make_node("a");
  ::rclcpp::Node::SharedPtr made;
  ::rclcpp::TimerBase::SharedPtr of_made;
  ::rclcpp::TimerBase::SharedPtr own;
  ::rclcpp::TimerBase::SharedPtr first;
  Watched<int> mades;
  Watched<int> owns;
  Watched<int> rounds;
  first = node->create_wall_timer(2ms, [&] {
    if (made == nullptr) {
      // A unique name: rcl loses track of the publisher of /rosout if two nodes have the same name.
      made = make_node("b" + std::to_string(rounds.get()));
      of_made = made->create_wall_timer(1ms, [&] { mades.add(1); });
      executor_->add_node(made);
      own = node->create_wall_timer(1ms, [&] { owns.add(1); });
    } else if (mades.get() > 2 && owns.get() > 2) {
      own.reset();
      of_made.reset();
      made.reset();
      mades.set(0);
      owns.set(0);
      rounds.add(1);
    }
  });
  executor_->add_node(node);
  start();
  EXPECT_TRUE(rounds.wait_for_at_least(10));
  stop();
}

TEST_F(ComingAndGoingTest, ATimerThatDropsItselfRunsOnce) {
  const auto node = make_node("a");
  std::atomic<int> calls = 0;
  const auto kept = std::make_shared<int>(0);
  const std::weak_ptr<int> held = kept;
  ::rclcpp::TimerBase::SharedPtr timer;
  timer = node->create_wall_timer(1ms, [&timer, &calls, kept] {
    ++calls;
    timer.reset();
  });
  Watched<int> others;
  const auto beat = node->create_wall_timer(1ms, [&] { others.add(1); });
  executor_->add_node(node);
  start();
  ASSERT_TRUE(others.wait_for_at_least(10));
  // Only the test's own reference is left.
  EXPECT_TRUE(testing::eventually([&] { return held.use_count() == 1; }));
  stop();
  EXPECT_EQ(calls.load(), 1);
}

TEST_F(ComingAndGoingTest, NodesAreDestroyedAsTheyRun) {
  const auto beating = make_node("beats");
  Watched<int> beats;
  const auto publisher = beating->create_publisher<Message>("topic", 10);
  const auto beat = beating->create_wall_timer(500us, [&] {
    publisher->publish(Message());
    beats.add(1);
  });
  executor_->add_node(beating);
  start();
  for (int i = 0; i < 30; ++i) {
    Watched<int> calls;
    Watched<int> messages;
    auto node = make_node("a" + std::to_string(i),
                          ::rclcpp::NodeOptions().use_intra_process_comms(i % 2 == 1));
    const std::weak_ptr<::rclcpp::Node> weak = node;
    auto timer = node->create_wall_timer(1ms, [&] { calls.add(1); });
    auto subscription =
        node->create_subscription<Message>("topic", 10, [&](const Message &) { messages.add(1); });
    auto service = node->create_service<Empty>(
        "ask", [](Empty::Request::SharedPtr, Empty::Response::SharedPtr) {});
    auto client = node->create_client<Empty>("ask");
    executor_->add_node(node);
    ASSERT_TRUE(calls.wait_for_at_least(1));
    ASSERT_TRUE(messages.wait_for_at_least(1));
    const std::weak_ptr<::rclcpp::TimerBase> a = timer;
    const std::weak_ptr<::rclcpp::SubscriptionBase> b = subscription;
    timer.reset();
    subscription.reset();
    service.reset();
    client.reset();
    node.reset();
    // A callback of the node may still be running.
    ASSERT_TRUE(testing::eventually([&] { return weak.expired() && a.expired() && b.expired(); }));
  }
  ASSERT_TRUE(beats.wait_for_at_least(beats.get() + 3));
  ASSERT_TRUE(testing::eventually([&] { return !has("a29/timer:1ms") && !has("a29/topic"); }));
  stop();
}

TEST_F(ComingAndGoingTest, AnExecutorThatGoesLeavesItsNodesFree) {
  const auto node = make_node("a");
  Watched<int> calls;
  const auto timer = node->create_wall_timer(1ms, [&] { calls.add(1); });
  executor_->add_node(node);
  start();
  ASSERT_TRUE(calls.wait_for_at_least(1));
  stop();
  make_executor({});
  executor_->add_node(node);
  start();
  EXPECT_TRUE(calls.wait_for_at_least(calls.get() + 2));
  stop();
}

// The node's library may be unloaded next, as in a component container that ends.
TEST_F(ComingAndGoingTest, NothingIsKeptOfANodeRemovedWhereNobodySpins) {
  auto node = make_node("a");
  auto subscription = node->create_subscription<Message>("x", 1, [](const Message &) {});
  Watched<int> beats;
  auto timer = node->create_wall_timer(1ms, [&] { beats.add(1); });
  executor_->add_node(node);
  start();
  EXPECT_TRUE(beats.wait_for_at_least(1));
  stop();
  const std::weak_ptr<rcl_node_t> handle =
      node->get_node_base_interface()->get_shared_rcl_node_handle();
  executor_->remove_node(node);
  timer.reset();
  subscription.reset();
  node.reset();
  EXPECT_TRUE(handle.expired());
}

TEST_F(ComingAndGoingTest, AGroupMovesToAnotherExecutor) {
  const auto node = make_node("a");
  const auto group =
      node->create_callback_group(::rclcpp::CallbackGroupType::MutuallyExclusive, false);
  Watched<int> calls;
  const auto timer = node->create_wall_timer(1ms, [&] { calls.add(1); }, group);
  const auto base = node->get_node_base_interface();
  const auto another = one_more();
  executor_->add_node(node);
  executor_->add_callback_group(group, base);
  EXPECT_EQ(executor_->get_all_callback_groups().size(), 2u);
  EXPECT_EQ(executor_->get_manually_added_callback_groups().size(), 1u);
  EXPECT_EQ(executor_->get_automatically_added_callback_groups_from_nodes().size(), 1u);
  start();
  std::thread thread([&] { another->spin(); });
  struct Join {
    SchedulingExecutor & executor;
    std::thread & thread;
    ~Join() {
      executor.cancel();
      thread.join();
    }
  } const join{*another, thread};
  for (int i = 0; i < 5; ++i) {
    ASSERT_TRUE(calls.wait_for_at_least(calls.get() + 2));
    // The group can be moved at once, while jobs of its timer run.
    executor_->remove_callback_group(group);
    another->add_callback_group(group, base);
    ASSERT_TRUE(testing::eventually([&] { return another->tasks().size() == 1; }));
    ASSERT_TRUE(calls.wait_for_at_least(calls.get() + 2)) << "by the other one, in round " << i;
    another->remove_callback_group(group);
    executor_->add_callback_group(group, base);
    ASSERT_TRUE(testing::eventually([&] { return has("a/timer:1ms"); }));
  }
  stop();
}

TEST_F(ComingAndGoingTest, AServicesRequestsAndAClientsResponsesOfEntitiesThatCameLater) {
  const auto node = make_node("a");
  executor_->add_node(node);
  start();
  for (int i = 0; i < 5; ++i) {
    // A unique name: a service that was just destroyed may still be visible.
    const std::string name = "ask" + std::to_string(i);
    const auto service = node->create_service<Empty>(
        name, [](Empty::Request::SharedPtr, Empty::Response::SharedPtr) {});
    const auto client = node->create_client<Empty>(name);
    ASSERT_TRUE(client->wait_for_service(testing::patience));
    auto future = client->async_send_request(std::make_shared<Empty::Request>());
    ASSERT_EQ(future.wait_for(testing::patience), std::future_status::ready);
  }
  stop();
}

TEST_F(ComingAndGoingTest, NodesThatComeAndGoWithoutNotificationAreNoticed) {
  const auto node = make_node("a");
  Watched<int> calls;
  const auto timer = node->create_wall_timer(1ms, [&] { calls.add(1); });
  start();
  ASSERT_TRUE(testing::eventually([&] { return executor_->processor().spinning(); }));
  executor_->add_node(node, false);
  ASSERT_TRUE(calls.wait_for_at_least(2));
  executor_->remove_node(node, false);
  EXPECT_TRUE(testing::eventually([&] { return tasks().empty(); }));
  stop();
}

TEST_F(ComingAndGoingTest, MoreRequestsThanJobsMayWaitAreAllAnswered) {
  constexpr int count = 400;
  const auto node = make_node("a");
  const auto other = make_node("b");
  const auto qos = ::rclcpp::ServicesQoS().keep_last(1000);
  Watched<int> requests;
  std::atomic<bool> busy = true;
  const auto service = node->create_service<Empty>(
      "ask",
      [&](Empty::Request::SharedPtr, Empty::Response::SharedPtr) {
        requests.add(1);
        while (busy) std::this_thread::yield();
      },
      qos);
  const auto client = other->create_client<Empty>("ask", qos);
  executor_->add_node(node);
  start();
  ASSERT_TRUE(client->wait_for_service(testing::patience));
  for (int i = 0; i < count; ++i) client->async_send_request(std::make_shared<Empty::Request>());
  ASSERT_TRUE(requests.wait_for_at_least(1));
  busy = false;
  EXPECT_TRUE(requests.wait_for_at_least(count)) << requests.get();
  // The responses wait to be taken. They, too, are more than the jobs that may be pending.
  executor_->add_node(other);
  EXPECT_TRUE(testing::eventually([&] { return client->prune_pending_requests() == 0; }));
  stop();
}

}  // namespace
}  // namespace takt::rclcpp
