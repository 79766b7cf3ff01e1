// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// Timers of rclcpp under takt's executor.
#include <gmock/gmock.h>

#include <vector>

#include "testing/background.hpp"

namespace takt::rclcpp {
namespace {

using namespace std::chrono_literals;
using testing::Watched;

class TimerTest : public testing::ExecutorTest {
 protected:
  model::TaskCounters counters(const std::string & name) const { return executor_->counters(name); }
};

TEST_F(TimerTest, ReleasesLieOnTheTimersOwnGrid) {
  const auto node = make_node("a");
  std::mutex mutex;
  std::vector<std::int64_t> expected;
  Watched<int> calls;
  // The form that is told when it was expected.
  const auto timer = node->create_wall_timer(3ms, [&](const ::rclcpp::TimerInfo & info) {
    const std::lock_guard lock(mutex);
    expected.push_back(info.expected_call_time.nanoseconds());
    calls.add(1);
  });
  executor_->add_node(node);
  start();
  ASSERT_TRUE(calls.wait_for_at_least(10));
  stop();
  for (std::size_t i = 1; i < expected.size(); ++i) {
    EXPECT_EQ((expected[i] - expected[0]) % 3'000'000, 0) << i;
    EXPECT_GT(expected[i], expected[i - 1]) << i;
  }
}

TEST_F(TimerTest, OneThatCancelsItselfRunsOnce) {
  const auto node = make_node("a");
  int calls = 0;
  ::rclcpp::TimerBase::SharedPtr once;
  once = node->create_wall_timer(1ms, [&] {
    ++calls;
    once->cancel();
  });
  Watched<int> others;
  const auto other = node->create_wall_timer(1ms, [&] { others.add(1); });
  executor_->add_node(node);
  start();
  ASSERT_TRUE(others.wait_for_at_least(10));
  stop();
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(counters("a/timer:1ms").started, 1u);
}

TEST_F(TimerTest, CanceledFromOutsideAndReset) {
  const auto node = make_node("a");
  Watched<int> calls;
  const auto timer = node->create_wall_timer(2ms, [&] { calls.add(1); });
  Watched<int> others;
  const auto other = node->create_wall_timer(3ms, [&] { others.add(1); });
  executor_->add_node(node);
  start();
  ASSERT_TRUE(calls.wait_for_at_least(2));
  timer->cancel();
  // One may have started just before.
  ASSERT_TRUE(others.wait_for_at_least(others.get() + 3));
  const int before = calls.get();
  ASSERT_TRUE(others.wait_for_at_least(others.get() + 4));
  EXPECT_EQ(calls.get(), before);
  timer->reset();
  EXPECT_TRUE(calls.wait_for_at_least(before + 3));
  stop();
}

TEST_F(TimerTest, AWatchdogThatIsResetInTimeDoesNotBark) {
  const auto node = make_node("a");
  int barks = 0;
  const auto watchdog = node->create_wall_timer(2s, [&] { ++barks; });
  Watched<int> feeds;
  const auto feeder = node->create_wall_timer(1ms, [&] {
    watchdog->reset();
    feeds.add(1);
  });
  executor_->add_node(node);
  start();
  ASSERT_TRUE(feeds.wait_for_at_least(100));
  stop();
  EXPECT_EQ(barks, 0);
  EXPECT_EQ(counters("a/timer:2s").released, 0u);
}

TEST_F(TimerTest, OneThatIsDueWhenItBeginsToSpinRunsAtOnceAndOnce) {
  const auto node = make_node("a");
  Watched<int> calls;
  const auto timer = node->create_wall_timer(50ms, [&] { calls.add(1); });
  // It has missed several.
  const auto end = std::chrono::steady_clock::now() + 120ms;
  while (std::chrono::steady_clock::now() < end) {
  }
  executor_->add_node(node);
  start();
  ASSERT_TRUE(calls.wait_for_at_least(3));
  stop();
  EXPECT_EQ(counters("a/timer:50ms").skipped, 0u);
}

TEST_F(TimerTest, AnOverrunSkipsAsInRclcpp) {
  const auto node = make_node("a");
  Watched<int> calls;
  const auto timer = node->create_wall_timer(1ms, [&] {
    const auto end = std::chrono::steady_clock::now() + 5ms;
    while (std::chrono::steady_clock::now() < end) {
    }
    calls.add(1);
  });
  executor_->add_node(node);
  start();
  ASSERT_TRUE(calls.wait_for_at_least(3));
  stop();
  EXPECT_GE(counters("a/timer:1ms").skipped, 4u);
}

TEST_F(TimerTest, OnRosTimeThatIsNotSimulated) {
  const auto node = make_node("a");
  Watched<int> calls;
  const auto timer = node->create_timer(2ms, [&] { calls.add(1); });
  executor_->add_node(node);
  start();
  EXPECT_TRUE(calls.wait_for_at_least(4));
  stop();
}

TEST_F(TimerTest, OnSimulatedTimeTheClockReleasesIt) {
  const auto node = make_node("a");
  const auto clock = std::make_shared<::rclcpp::Clock>(RCL_ROS_TIME);
  const auto set = [&](std::int64_t ns) {
    const std::lock_guard lock(clock->get_clock_mutex());
    ASSERT_EQ(rcl_set_ros_time_override(clock->get_clock_handle(), ns), RCL_RET_OK);
  };
  {
    const std::lock_guard lock(clock->get_clock_mutex());
    ASSERT_EQ(rcl_enable_ros_time_override(clock->get_clock_handle()), RCL_RET_OK);
  }
  constexpr std::int64_t s = 1'000'000'000;
  set(100 * s);
  Watched<int> calls;
  const auto timer = ::rclcpp::create_timer(node, clock, 10s, [&] { calls.add(1); });
  executor_->add_node(node);
  start();
  ASSERT_TRUE(testing::eventually([&] { return executor_->processor().spinning(); }));
  for (int i = 1; i <= 3; ++i) {
    set((100 + 10 * i) * s);
    ASSERT_TRUE(calls.wait_for_at_least(i)) << i;
  }
  // A jump over several is one call.
  set(200 * s);
  ASSERT_TRUE(calls.wait_for_at_least(4));
  set(205 * s);
  set(209 * s);
  set(210 * s);
  ASSERT_TRUE(calls.wait_for_at_least(5));
  stop();
  EXPECT_EQ(calls.get(), 5);
}

}  // namespace
}  // namespace takt::rclcpp
