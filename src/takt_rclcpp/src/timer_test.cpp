// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// Timers of rclcpp under takt's executor.
#include <gmock/gmock.h>

#include <vector>

#include "takt_core/tasks/error.hpp"
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
  // A callback of the form that receives the expected instant of the call.
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
  // One job may have started just before.
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
  std::vector<std::int64_t> called;
  const auto timer = node->create_wall_timer(50ms, [&](const ::rclcpp::TimerInfo & info) {
    called.push_back(info.actual_call_time.nanoseconds());
    calls.add(1);
  });
  ::rclcpp::Clock clock(RCL_STEADY_TIME);
  constexpr std::int64_t period = 50'000'000;
  const auto made = clock.now().nanoseconds();
  testing::busy_for(280ms);  // The timer is due five times.
  executor_->add_node(node);
  const auto began = clock.now().nanoseconds();
  start();
  ASSERT_TRUE(calls.wait_for_at_least(3));
  stop();
  // Only points of the timer's grid that came while the executor was spinning can be skipped, and
  // they are only if the host stood still.
  const auto points = (clock.now().nanoseconds() - began) / period + 1;
  const auto skipped = static_cast<std::int64_t>(counters("a/timer:50ms").skipped);
  EXPECT_LE(skipped, points - (std::ssize(called) - 1));
  // All missed releases are one call. The next call comes at the next point of the timer's grid at
  // the earliest; that grid began slightly before `made`.
  constexpr std::int64_t slack = 5'000'000;
  EXPECT_GE((called[1] - made + slack) / period, (called[0] - made) / period + 1);
}

TEST_F(TimerTest, AnOverrunSkipsAsInRclcpp) {
  const auto node = make_node("a");
  Watched<int> calls;
  const auto timer = node->create_wall_timer(1ms, [&] {
    testing::busy_for(5ms);
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

TEST_F(TimerTest, OneThatDoesNotStartByItselfWaitsForItsReset) {
  const auto node = make_node("a");
  Watched<int> calls;
  const auto timer = node->create_wall_timer(2ms, [&] { calls.add(1); }, nullptr, false);
  Watched<int> others;
  const auto other = node->create_wall_timer(1ms, [&] { others.add(1); });
  executor_->add_node(node);
  start();
  ASSERT_TRUE(others.wait_for_at_least(10));
  EXPECT_EQ(calls.get(), 0);
  timer->reset();
  EXPECT_TRUE(calls.wait_for_at_least(3));
  stop();
}

TEST_F(TimerTest, AnInfoTellsWhenItWasExpectedAndWhenItWasCalled) {
  const auto node = make_node("a");
  std::mutex mutex;
  std::vector<::rclcpp::TimerInfo> infos;
  std::vector<std::int64_t> begun;
  Watched<int> calls;
  ::rclcpp::Clock steady(RCL_STEADY_TIME);
  const auto timer = node->create_wall_timer(2ms, [&](const ::rclcpp::TimerInfo & info) {
    const std::lock_guard lock(mutex);
    infos.push_back(info);
    begun.push_back(steady.now().nanoseconds());
    calls.add(1);
  });
  executor_->add_node(node);
  start();
  ASSERT_TRUE(calls.wait_for_at_least(10));
  stop();
  for (std::size_t i = 0; i < infos.size(); ++i) {
    const auto expected = infos[i].expected_call_time.nanoseconds();
    const auto actual = infos[i].actual_call_time.nanoseconds();
    EXPECT_LE(expected, actual) << i;
    EXPECT_LE(actual, begun[i]) << i;
    if (i > 0) {
      EXPECT_GE(actual, begun[i - 1]) << i;
    }
  }
}

TEST_F(TimerTest, OneWithoutAPeriodRunsAgainAndAgainBesideOthers) {
  const auto node = make_node("a");
  Watched<int> calls;
  const auto always = node->create_wall_timer(0ms, [&] { calls.add(1); });
  Watched<int> others;
  const auto other = node->create_wall_timer(2ms, [&] { others.add(1); });
  executor_->add_node(node);
  start();
  EXPECT_TRUE(calls.wait_for_at_least(50));
  EXPECT_TRUE(others.wait_for_at_least(5));
  stop();
}

TEST_F(TimerTest, AnOverrunGoesOnOnTheOldGrid) {
  const auto node = make_node("a");
  std::mutex mutex;
  std::vector<std::int64_t> expected;
  Watched<int> calls;
  const auto timer = node->create_wall_timer(4ms, [&](const ::rclcpp::TimerInfo & info) {
    {
      const std::lock_guard lock(mutex);
      expected.push_back(info.expected_call_time.nanoseconds());
    }
    if (calls.get() == 2) {
      testing::busy_for(14ms);
    }
    calls.add(1);
  });
  executor_->add_node(node);
  start();
  ASSERT_TRUE(calls.wait_for_at_least(8));
  stop();
  for (std::size_t i = 1; i < expected.size(); ++i) {
    EXPECT_EQ((expected[i] - expected[0]) % 4'000'000, 0) << i;
    EXPECT_GT(expected[i], expected[i - 1]) << i;
  }
}

TEST_F(TimerTest, AResetIsNotLostToAJobThatFindsItCanceled) {
  const auto node = make_node("a");
  Watched<int> calls;
  const auto timer = node->create_wall_timer(100us, [&] { calls.add(1); });
  executor_->add_node(node);
  start();
  ASSERT_TRUE(calls.wait_for_at_least(1));
  for (int i = 0; i < 3000; ++i) {
    timer->cancel();
    testing::busy_for(std::chrono::microseconds(i % 110));
    timer->reset();
    if (i % 10 != 9) continue;
    ASSERT_TRUE(calls.wait_for_at_least(calls.get() + 1)) << i;
  }
  stop();
}

TEST_F(TimerTest, OneOnTheExecutorsGridThatIsResetMoreOftenThanItsPeriodIsNotCalled) {
  const auto node = make_node("a");
  Watched<int> calls;
  Watched<int> resets;
  const auto watchdog = node->create_wall_timer(10s, [&] { calls.add(1); });
  const auto feeder = node->create_wall_timer(1ms, [&] {
    watchdog->reset();
    resets.add(1);
  });
  executor_->set_task(watchdog, {.priority = 1, .phase = 50ms});
  executor_->set_task(feeder, {.priority = 2});
  executor_->add_node(node);
  start();
  EXPECT_TRUE(resets.wait_for_at_least(100));
  stop();
  EXPECT_EQ(calls.get(), 0);
}

TEST_F(TimerTest, OneThatIsDueInAHundredYearsKeepsNobodyFromSpinning) {
  const auto node = make_node("a");
  Watched<int> calls;
  const auto never = node->create_wall_timer(std::chrono::hours(24 * 365 * 100), [] { FAIL(); });
  const auto timer = node->create_wall_timer(1ms, [&] { calls.add(1); });
  executor_->add_node(node);
  start();
  EXPECT_TRUE(calls.wait_for_at_least(5));
  stop();
}

TEST_F(TimerTest, OneWithoutAGridIsRefusedWhatNeedsOne) {
  const auto node = make_node("a");
  const auto timer = node->create_wall_timer(0ns, [] {});
  EXPECT_THROW(executor_->set_task(timer, {.phase = 0ms}), Error);
  EXPECT_THROW(executor_->set_task(timer, {.extra_releases = true}), Error);
  EXPECT_THROW(executor_->set_task(timer, {.queue = 2}), Error);
}

}  // namespace
}  // namespace takt::rclcpp
