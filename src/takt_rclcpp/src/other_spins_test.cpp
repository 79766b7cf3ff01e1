// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// The other ways to spin, such as spin_some(). As in rclcpp, callbacks run on the calling thread.
#include <gmock/gmock.h>

#include <rclcpp/executors.hpp>

#include <functional>
#include <future>
#include <set>
#include <std_msgs/msg/u_int64.hpp>
#include <stdexcept>

#include "testing/background.hpp"

namespace takt::rclcpp {
namespace {

using namespace std::chrono_literals;
using ::rclcpp::FutureReturnCode;
using testing::Watched;
using Message = std_msgs::msg::UInt64;

class OtherSpinsTest : public testing::ExecutorTest {
 protected:
  /// A timer that is due whenever an executor checks it.
  static ::rclcpp::TimerBase::SharedPtr always(const ::rclcpp::Node::SharedPtr & node,
                                               const std::function<void()> & function) {
    return node->create_wall_timer(0ns, function);
  }
  /// Creates a subscription inside the process whose callback publishes the next message, up to
  /// `count`.
  void make_chain(int count) {
    chain_ = make_node("chain", ::rclcpp::NodeOptions().use_intra_process_comms(true));
    publisher_ = chain_->create_publisher<Message>("next", 10);
    subscription_ =
        chain_->create_subscription<Message>("next", 10, [this, count](const Message &) {
          if (++received_ < count) send();
        });
    executor_->add_node(chain_);
    send();
  }
  void send() { publisher_->publish(std::make_unique<Message>()); }

  ::rclcpp::Node::SharedPtr chain_;
  ::rclcpp::Publisher<Message>::SharedPtr publisher_;
  ::rclcpp::Subscription<Message>::SharedPtr subscription_;
  int received_ = 0;
};

TEST_F(OtherSpinsTest, SpinSomeRunsWhatIsReadyAtItsBeginning) {
  make_chain(5);
  for (int i = 1; i <= 5; ++i) {
    executor_->spin_some();
    EXPECT_EQ(received_, i);
  }
  executor_->spin_some();  // nothing is ready: returns at once
  EXPECT_EQ(received_, 5);
}

TEST_F(OtherSpinsTest, SpinAllRunsWhatBecomesReadyMeanwhileToo) {
  make_chain(5);
  executor_->spin_all(testing::patience);
  EXPECT_EQ(received_, 5);
  executor_->spin_all(0ns);  // as long as anything is ready
  EXPECT_EQ(received_, 5);
  EXPECT_THROW(executor_->spin_all(-1ns), std::invalid_argument);
}

TEST_F(OtherSpinsTest, TheyBeginNothingWhenTheirTimeIsOver) {
  const auto node = make_node("a");
  int calls = 0;
  const auto longer = [&calls] {
    ++calls;
    testing::busy_for(60ms);
  };
  executor_->add_node(node);
  executor_->spin_some();  // finds the entities of the node, which takes some time
  const auto first = always(node, longer);
  const auto second = always(node, longer);
  executor_->spin_some(50ms);
  EXPECT_EQ(calls, 1);
  executor_->spin_some();
  EXPECT_EQ(calls, 3);
  // Something is always ready, so only the time limit ends it.
  executor_->spin_all(100ms);
  EXPECT_THAT(calls, ::testing::AllOf(::testing::Ge(4), ::testing::Le(5)));
}

TEST_F(OtherSpinsTest, WhatWasMadeJustBeforeIsKnown) {
  const auto node = make_node("a");
  executor_->add_node(node);
  int calls = 0;
  const auto first = always(node, [&] { ++calls; });
  executor_->spin_some();
  EXPECT_EQ(calls, 1);
  const auto group = node->create_callback_group(::rclcpp::CallbackGroupType::MutuallyExclusive);
  const auto second = node->create_wall_timer(0ns, [&] { calls += 10; }, group);
  first->cancel();
  executor_->spin_once();
  EXPECT_EQ(calls, 11);
  second->cancel();
  ::rclcpp::TimerBase::SharedPtr third;
  third = always(node, [&] {
    calls += 100;
    third->cancel();
  });
  executor_->spin_all(testing::patience);
  EXPECT_EQ(calls, 111);
}

TEST_F(OtherSpinsTest, SpinOnceRunsOneCallbackOrWaitsForOne) {
  const auto node = make_node("a");
  executor_->add_node(node);
  int calls = 0;
  executor_->spin_once(1ms);  // nothing is ready: returns after 1 ms
  const auto soon = node->create_wall_timer(2ms, [&] { ++calls; });
  // Built-in callbacks of the node may run first.
  for (int i = 0; i < 20 && calls == 0; ++i) executor_->spin_once();
  EXPECT_EQ(calls, 1);
  soon->cancel();
  const auto first = always(node, [&] { ++calls; });
  const auto second = always(node, [&] { ++calls; });
  executor_->spin_once(0ns);
  EXPECT_EQ(calls, 2);
  executor_->spin_once();
  EXPECT_EQ(calls, 3);
}

TEST_F(OtherSpinsTest, UntilAFutureIsComplete) {
  const auto node = make_node("a");
  std::promise<int> promise;
  const std::shared_future<int> future = promise.get_future();
  int calls = 0;
  const auto timer = always(node, [&] {
    if (++calls == 3) promise.set_value(7);
  });
  executor_->add_node(node);
  EXPECT_EQ(executor_->spin_until_future_complete(future), FutureReturnCode::SUCCESS);
  EXPECT_EQ(calls, 3);
  EXPECT_EQ(future.get(), 7);
  // The future is ready already, so nothing runs.
  EXPECT_EQ(executor_->spin_until_future_complete(future, 1s), FutureReturnCode::SUCCESS);
  EXPECT_EQ(calls, 3);
}

TEST_F(OtherSpinsTest, UntilItsTimeIsOver) {
  const auto node = make_node("a");
  executor_->add_node(node);
  std::promise<void> never;
  const auto future = never.get_future().share();
  EXPECT_EQ(executor_->spin_until_future_complete(future, 2ms), FutureReturnCode::TIMEOUT);
  int calls = 0;
  const auto timer = always(node, [&] { ++calls; });
  EXPECT_EQ(executor_->spin_until_future_complete(future, 2ms), FutureReturnCode::TIMEOUT);
  EXPECT_GT(calls, 0);
}

TEST_F(OtherSpinsTest, UntilItIsCanceledOrTheContextShutDown) {
  const auto node = make_node("a");
  std::promise<void> never;
  const auto future = never.get_future().share();
  std::function<void()> interrupt = [this] { executor_->cancel(); };
  const auto timer = always(node, [&] { interrupt(); });
  executor_->add_node(node);
  EXPECT_EQ(executor_->spin_until_future_complete(future), FutureReturnCode::INTERRUPTED);
  interrupt = [this] { context_->shutdown("by a callback"); };
  EXPECT_EQ(executor_->spin_until_future_complete(future), FutureReturnCode::INTERRUPTED);
}

TEST_F(OtherSpinsTest, OfOneNodeThatIsFreeAgainThen) {
  const auto node = make_node("a");
  int calls = 0;
  const auto timer = always(node, [&] { ++calls; });
  const auto other = one_more();
  const auto is_free = [&] {
    other->add_node(node);
    other->remove_node(node);
  };
  executor_->spin_node_once(node);
  EXPECT_EQ(calls, 1);
  is_free();
  executor_->spin_node_some(node);
  EXPECT_EQ(calls, 2);
  is_free();
  executor_->spin_node_all(node, 1ms);
  EXPECT_GT(calls, 2);
  is_free();
  std::promise<void> promise;
  const auto future = promise.get_future().share();
  promise.set_value();
  EXPECT_EQ(::rclcpp::executors::spin_node_until_future_complete(*executor_, node, future),
            FutureReturnCode::SUCCESS);
  is_free();
  // A node that belongs to another executor is refused, and remains there.
  other->add_node(node);
  EXPECT_THROW(executor_->spin_node_some(node), std::runtime_error);
  EXPECT_THROW(executor_->spin_node_once(node), std::runtime_error);
  other->remove_node(node);
}

TEST_F(OtherSpinsTest, OnTheCallingThreadAndNotWhileItSpins) {
  const auto node = make_node("a");
  std::mutex mutex;
  std::set<std::thread::id> threads;
  Watched<int> calls;
  const auto timer = node->create_wall_timer(1ms, [&] {
    {
      const std::lock_guard lock(mutex);
      threads.insert(std::this_thread::get_id());
    }
    calls.add(1);
  });
  executor_->add_node(node);
  ::rclcpp::Node::SharedPtr idle;
  std::promise<void> never;
  const auto future = never.get_future().share();
  const std::vector<std::function<void()>> ways{
      [&] { executor_->spin_once(); },
      [&] { executor_->spin_some(); },
      [&] { executor_->spin_all(1ms); },
      [&] { executor_->spin_until_future_complete(future, 2ms); },
      [&] { executor_->spin_node_once(idle, 0ns); },
      [&] { executor_->spin_node_some(idle); },
      [&] { executor_->spin_node_all(idle, 1ms); },
  };
  for (const auto & way : ways) {
    idle = make_node("b");
    const int before = calls.get();
    // Repeated, because the timer is not due each time.
    EXPECT_TRUE(testing::eventually([&] {
      way();
      return calls.get() > before;
    }));
  }
  EXPECT_THAT(threads, ::testing::ElementsAre(std::this_thread::get_id()));
  start();
  ASSERT_TRUE(calls.wait_for_at_least(calls.get() + 1));
  for (const auto & way : ways) {
    idle = make_node("c");  // rclcpp keeps a node if spinning it throws
    EXPECT_THROW(way(), std::runtime_error);
  }
  stop();
  EXPECT_EQ(threads.size(), 2u);
}

TEST_F(OtherSpinsTest, AnExceptionLeavesThem) {
  const auto node = make_node("a");
  const auto timer = always(node, [] { throw std::logic_error("a fault"); });
  executor_->add_node(node);
  EXPECT_THROW(executor_->spin_some(), std::logic_error);
  EXPECT_THROW(executor_->spin_all(1s), std::logic_error);
  EXPECT_THROW(executor_->spin_once(), std::logic_error);
  EXPECT_FALSE(executor_->is_spinning());
}

}  // namespace
}  // namespace takt::rclcpp
