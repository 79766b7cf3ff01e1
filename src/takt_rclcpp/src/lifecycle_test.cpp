// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// spin() begins, ends and begins again.
#include <gmock/gmock.h>

#include <atomic>
#include <future>

#include "testing/background.hpp"

namespace takt::rclcpp {
namespace {

using namespace std::chrono_literals;
using testing::Watched;

class LifecycleTest : public testing::ExecutorTest {
 protected:
  /// Returns whether spin() has returned within 5 s. If not, calls cancel() again.
  bool joined() {
    auto ended = std::async(std::launch::async, [this] { thread_.join(); });
    if (ended.wait_for(5s) == std::future_status::ready) return true;
    executor_->cancel();
    ended.wait();
    return false;
  }
};

TEST_F(LifecycleTest, CancelAsSoonAsItSpinsIsHeeded) {
  const auto node = make_node("a");
  const auto timer = node->create_wall_timer(1ms, [] {});
  executor_->add_node(node);
  for (int i = 0; i < 100; ++i) {
    start();
    ASSERT_TRUE(testing::eventually([&] { return executor_->is_spinning(); }));
    executor_->cancel();
    ASSERT_TRUE(joined()) << "in round " << i;
  }
}

TEST_F(LifecycleTest, CancelAsSoonAsItSpinsIsHeededWhileOthersLook) {
  const auto node = make_node("a");
  std::vector<::rclcpp::TimerBase::SharedPtr> timers;
  for (int i = 0; i < 200; ++i) timers.push_back(node->create_wall_timer(1s, [] {}));
  executor_->add_node(node);
  std::atomic<bool> enough = false;
  std::thread looker([&] {
    while (!enough) executor_->tasks();
  });
  bool heeded = true;
  for (int i = 0; i < 30 && heeded; ++i) {
    start();
    EXPECT_TRUE(testing::eventually([&] { return executor_->is_spinning(); }));
    executor_->cancel();
    heeded = joined();
    EXPECT_TRUE(heeded) << "in round " << i;
  }
  enough = true;
  looker.join();
}

TEST_F(LifecycleTest, CancelAtAnyTimeLeavesTheNextSpinAlone) {
  const auto node = make_node("a");
  Watched<int> calls;
  const auto timer = node->create_wall_timer(1ms, [&] { calls.add(1); });
  executor_->add_node(node);
  for (int i = 0; i < 100; ++i) {
    const int before = calls.get();
    std::atomic<bool> ended = false;
    thread_ = std::thread([&] {
      executor_->spin();
      ended = true;
    });
    ASSERT_TRUE(testing::eventually([&] { return ended || calls.get() > before; }));
    ASSERT_FALSE(ended.load()) << "spin() has returned at once in round " << i;
    while (!ended) executor_->cancel();
    thread_.join();
  }
}

TEST_F(LifecycleTest, ASecondSpinWhileTheFirstEndsIsRefused) {
  const auto node = make_node("a");
  Watched<int> calls;
  Watched<int> go_on;
  const auto timer = node->create_wall_timer(1ms, [&] {
    calls.add(1);
    EXPECT_TRUE(go_on.wait_for_at_least(1));
  });
  executor_->add_node(node);
  start();
  ASSERT_TRUE(calls.wait_for_at_least(1));
  executor_->cancel();
  EXPECT_TRUE(executor_->is_spinning());
  EXPECT_THROW(executor_->spin(), std::runtime_error);
  EXPECT_THROW(executor_->spin_some(), std::runtime_error);
  go_on.set(1);
  ASSERT_TRUE(joined());
  EXPECT_FALSE(executor_->is_spinning());
}

TEST_F(LifecycleTest, ShutdownByAnotherThreadEndsSpin) {
  const auto node = make_node("a");
  Watched<int> calls;
  const auto timer = node->create_wall_timer(1ms, [&] { calls.add(1); });
  executor_->add_node(node);
  start();
  ASSERT_TRUE(calls.wait_for_at_least(1));
  context_->shutdown("by another thread");
  EXPECT_TRUE(joined());
}

TEST_F(LifecycleTest, ShutdownAsSoonAsItSpinsIsHeeded) {
  for (int i = 0; i < 50; ++i) {
    executor_.reset();
    context_ = std::make_shared<::rclcpp::Context>();
    context_->init(0, nullptr);
    make_executor({});
    start();
    ASSERT_TRUE(testing::eventually([&] { return executor_->is_spinning(); }));
    context_->shutdown("by another thread");
    ASSERT_TRUE(joined()) << "in round " << i;
  }
}

TEST_F(LifecycleTest, AfterShutdownSpinReturnsAtOnce) {
  const auto node = make_node("a");
  executor_->add_node(node);
  context_->shutdown("before it spins");
  executor_->spin();
  EXPECT_FALSE(executor_->is_spinning());
}

TEST_F(LifecycleTest, WithoutNodesItSpinsUntilItIsCanceled) {
  start();
  ASSERT_TRUE(testing::eventually([&] { return executor_->processor().spinning(); }));
  executor_->cancel();
  EXPECT_TRUE(joined());
}

TEST_F(LifecycleTest, AfterAnExceptionItSpinsAgain) {
  const auto node = make_node("a");
  Watched<int> calls;
  const auto timer = node->create_wall_timer(1ms, [&] {
    calls.add(1);
    if (calls.get() == 1) throw std::logic_error("a fault");
  });
  executor_->add_node(node);
  EXPECT_THROW(executor_->spin(), std::logic_error);
  EXPECT_FALSE(executor_->is_spinning());
  start();
  EXPECT_TRUE(calls.wait_for_at_least(3));
  stop();
}

TEST_F(LifecycleTest, SpinAndSpinSomeInTurns) {
  const auto node = make_node("a");
  Watched<int> calls;
  const auto timer = node->create_wall_timer(1ms, [&] { calls.add(1); });
  executor_->add_node(node);
  for (int i = 0; i < 5; ++i) {
    start();
    ASSERT_TRUE(calls.wait_for_at_least(calls.get() + 2));
    stop();
    const int before = calls.get();
    ASSERT_TRUE(testing::eventually([&] {
      executor_->spin_some();
      return calls.get() > before;
    }));
  }
}

TEST_F(LifecycleTest, TwoOfThemSpinAtOnce) {
  const auto node = make_node("a");
  const auto other = make_node("b");
  Watched<int> calls;
  Watched<int> others;
  const auto timer = node->create_wall_timer(1ms, [&] { calls.add(1); });
  const auto second = other->create_wall_timer(1ms, [&] { others.add(1); });
  executor_->add_node(node);
  const auto another = one_more();
  another->add_node(other);
  start();
  std::thread thread([&] { another->spin(); });
  EXPECT_TRUE(calls.wait_for_at_least(5));
  EXPECT_TRUE(others.wait_for_at_least(5));
  another->cancel();
  thread.join();
  stop();
}

TEST_F(LifecycleTest, ItMayBeCanceledByItsOwnCallback) {
  const auto node = make_node("a");
  const auto timer = node->create_wall_timer(1ms, [&] { executor_->cancel(); });
  executor_->add_node(node);
  executor_->spin();
  executor_->spin();
  EXPECT_FALSE(executor_->is_spinning());
}

TEST_F(LifecycleTest, ItMayBeDestroyedWhileAnotherThreadSpins) {
  for (int i = 0; i < 30; ++i) {
    const auto node = make_node("a");
    Watched<int> calls;
    const auto timer = node->create_wall_timer(1ms, [&] { calls.add(1); });
    auto executor = one_more();
    executor->add_node(node);
    std::thread thread([raw = executor.get()] { raw->spin(); });
    ASSERT_TRUE(calls.wait_for_at_least(1 + i % 3));
    executor.reset();
    const int at_end = calls.get();
    thread.join();
    EXPECT_EQ(calls.get(), at_end);
  }
}

}  // namespace
}  // namespace takt::rclcpp
