// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// Timers of rclcpp on simulated time.
#include <gmock/gmock.h>

#include <algorithm>
#include <rosgraph_msgs/msg/clock.hpp>
#include <string>

#include "testing/background.hpp"

namespace takt::rclcpp {
namespace {

using namespace std::chrono_literals;
using testing::Watched;
constexpr std::int64_t s = 1'000'000'000;

class SimulatedTimeTest : public testing::ExecutorTest {
 protected:
  static ::rclcpp::Clock::SharedPtr simulated(std::int64_t now) {
    const auto clock = std::make_shared<::rclcpp::Clock>(RCL_ROS_TIME);
    {
      const std::lock_guard lock(clock->get_clock_mutex());
      EXPECT_EQ(rcl_enable_ros_time_override(clock->get_clock_handle()), RCL_RET_OK);
    }
    set(clock, now);
    return clock;
  }
  static void set(const ::rclcpp::Clock::SharedPtr & clock, std::int64_t now) {
    const std::lock_guard lock(clock->get_clock_mutex());
    EXPECT_EQ(rcl_set_ros_time_override(clock->get_clock_handle(), now), RCL_RET_OK);
  }
};

TEST_F(SimulatedTimeTest, OnSimulatedTimeTheClockReleasesIt) {
  const auto node = make_node("a");
  const auto clock = simulated(100 * s);
  Watched<int> calls;
  const auto timer = ::rclcpp::create_timer(node, clock, 10s, [&] { calls.add(1); });
  executor_->add_node(node);
  start();
  ASSERT_TRUE(testing::eventually([&] { return executor_->processor().spinning(); }));
  for (int i = 1; i <= 3; ++i) {
    set(clock, (100 + 10 * i) * s);
    ASSERT_TRUE(calls.wait_for_at_least(i)) << i;
  }
  // A jump over several releases is one call.
  set(clock, 200 * s);
  ASSERT_TRUE(calls.wait_for_at_least(4));
  set(clock, 205 * s);
  set(clock, 209 * s);
  set(clock, 210 * s);
  ASSERT_TRUE(calls.wait_for_at_least(5));
  stop();
  EXPECT_EQ(calls.get(), 5);
}

TEST_F(SimulatedTimeTest, SimulatedTimeOfATopic) {
  const auto node =
      make_node("a", ::rclcpp::NodeOptions().append_parameter_override("use_sim_time", true));
  const auto world = make_node("world");
  const auto publisher =
      world->create_publisher<rosgraph_msgs::msg::Clock>("/clock", ::rclcpp::ClockQoS());
  Watched<int> calls;
  const auto timer = node->create_timer(10s, [&] { calls.add(1); });
  executor_->add_node(node);
  start();
  ASSERT_TRUE(testing::eventually([&] { return publisher->get_subscription_count() > 0; }));
  rosgraph_msgs::msg::Clock time;
  time.clock.sec = 100;
  // Advances the time second by second, until the timer has been called three times.
  ASSERT_TRUE(testing::eventually([&] {
    ++time.clock.sec;
    publisher->publish(time);
    return calls.get() >= 3;
  }));
  stop();
}

TEST_F(SimulatedTimeTest, ANodesUseOfSimulatedTimeMayBeginAndEnd) {
  const auto node = make_node("a");
  Watched<int> calls;
  const auto timer = node->create_timer(5ms, [&] { calls.add(1); });
  executor_->add_node(node);
  start();
  ASSERT_TRUE(calls.wait_for_at_least(2));
  node->set_parameter(::rclcpp::Parameter("use_sim_time", true));
  // Nobody publishes /clock, so this time stands still, and calls cease, except those already
  // begun.
  Watched<int> beats;
  const auto beat = node->create_wall_timer(10ms, [&] { beats.add(1); });
  EXPECT_TRUE(testing::eventually([&] {
    const int before = calls.get();
    return beats.wait_for_at_least(beats.get() + 5) && calls.get() == before;
  }));
  node->set_parameter(::rclcpp::Parameter("use_sim_time", false));
  EXPECT_TRUE(calls.wait_for_at_least(calls.get() + 3));
  stop();
}

TEST_F(SimulatedTimeTest, NodesWhoseClockHasAThreadOfRclcppAreTold) {
  const auto options = [](bool use_sim_time, bool use_clock_thread) {
    return ::rclcpp::NodeOptions()
        .append_parameter_override("use_sim_time", use_sim_time)
        .use_clock_thread(use_clock_thread);
  };
  const auto thread = make_node("thread", options(true, true));
  const auto later = make_node("later", options(false, true));
  const auto task = make_node("task", options(true, false));
  for (const auto & node : {thread, later, task}) executor_->add_node(node);
  start();
  ASSERT_TRUE(testing::eventually([&] { return executor_->processor().spinning(); }));
  const auto told = [&](const std::string & nodes) {
    const auto notes = executor_->grants().notes;
    return std::count_if(notes.begin(), notes.end(), [&nodes](const std::string & note) {
             return note.find("use_clock_thread(false)") != std::string::npos &&
                    note.ends_with(nodes);
           }) == 1;
  };
  EXPECT_TRUE(told("nodes (1): /thread"));
  later->set_parameter(::rclcpp::Parameter("use_sim_time", true));
  EXPECT_TRUE(testing::eventually([&] { return told("nodes (2): /thread /later"); }));
  thread->set_parameter(::rclcpp::Parameter("use_sim_time", false));
  EXPECT_TRUE(testing::eventually([&] { return told("nodes (1): /later"); }));
  stop();
}

TEST_F(SimulatedTimeTest, ASmallStepBackCallsNoTimerTwice) {
  const auto node = make_node("a");
  const auto clock = simulated(100 * s);
  Watched<int> calls;
  const auto timer = ::rclcpp::create_timer(node, clock, 10s, [&] { calls.add(1); });
  executor_->add_node(node);
  start();
  ASSERT_TRUE(testing::eventually([&] { return executor_->processor().spinning(); }));
  for (int k = 1; k <= 5; ++k) {
    set(clock, (100 + 10 * k) * s);
    ASSERT_TRUE(calls.wait_for_at_least(k));
    set(clock, (100 + 10 * k) * s - 1'000'000);
    set(clock, (100 + 10 * k) * s + 1'000'000);
  }
  stop();
  EXPECT_EQ(calls.get(), 5);
}

TEST_F(SimulatedTimeTest, ATimeThatJumpsBack) {
  const auto node = make_node("a");
  const auto clock = simulated(100 * s);
  Watched<int> calls;
  const auto timer = ::rclcpp::create_timer(node, clock, 10s, [&] { calls.add(1); });
  executor_->add_node(node);
  start();
  ASSERT_TRUE(testing::eventually([&] { return executor_->processor().spinning(); }));
  set(clock, 111 * s);
  ASSERT_TRUE(calls.wait_for_at_least(1));
  set(clock, 20 * s);
  // As in rcl, the next call comes at most one period after the time that was set.
  set(clock, 31 * s);
  EXPECT_TRUE(calls.wait_for_at_least(2));
  set(clock, 41 * s);
  EXPECT_TRUE(calls.wait_for_at_least(3));
  stop();
}

TEST_F(SimulatedTimeTest, OneOnSimulatedTimeThatIsCanceledAndReset) {
  const auto node = make_node("a");
  const auto clock = simulated(100 * s);
  Watched<int> calls;
  Watched<int> others;
  const auto timer = ::rclcpp::create_timer(node, clock, 10s, [&] { calls.add(1); });
  const auto other = ::rclcpp::create_timer(node, clock, 10s, [&] { others.add(1); });
  executor_->add_node(node);
  start();
  ASSERT_TRUE(testing::eventually([&] { return executor_->processor().spinning(); }));
  set(clock, 110 * s);
  ASSERT_TRUE(calls.wait_for_at_least(1));
  ASSERT_TRUE(others.wait_for_at_least(1));
  timer->cancel();
  set(clock, 120 * s);
  ASSERT_TRUE(others.wait_for_at_least(2));
  EXPECT_EQ(calls.get(), 1);
  timer->reset();
  set(clock, 130 * s);
  EXPECT_TRUE(calls.wait_for_at_least(2));
  stop();
}

TEST_F(SimulatedTimeTest, StepsOfTheClockBeforeItsJobBeginsAreOneRelease) {
  const auto node = make_node("a");
  const auto clock = simulated(100 * s);
  Watched<int> calls;
  Watched<int> others;
  std::atomic<bool> busy = true;
  const auto timer = ::rclcpp::create_timer(node, clock, 10s, [&] { calls.add(1); });
  // Occupies the group while the time advances.
  const auto other = node->create_wall_timer(1ms, [&] {
    others.add(1);
    while (busy) std::this_thread::yield();
  });
  executor_->add_node(node);
  start();
  ASSERT_TRUE(others.wait_for_at_least(1));
  for (int i = 1; i <= 50; ++i) set(clock, 110 * s + i);
  busy = false;
  ASSERT_TRUE(calls.wait_for_at_least(1));
  set(clock, 120 * s);
  ASSERT_TRUE(calls.wait_for_at_least(2));
  const auto counters = executor_->counters("a/timer:10s");
  stop();
  EXPECT_EQ(calls.get(), 2);
  // The second release may come just before the first job ends.
  EXPECT_LE(counters.overruns, 1u);
}

TEST_F(SimulatedTimeTest, OneThatIsDueAgainWhileItRunsRunsAgain) {
  const auto node = make_node("a");
  const auto clock = simulated(100 * s);
  Watched<int> calls;
  const auto timer = ::rclcpp::create_timer(node, clock, 10s, [&] {
    calls.add(1);
    if (calls.get() == 1) set(clock, 120 * s);  // and never moves again
    if (calls.get() == 1) testing::busy_for(20ms);
  });
  executor_->add_node(node);
  start();
  ASSERT_TRUE(testing::eventually([&] { return executor_->processor().spinning(); }));
  set(clock, 110 * s);
  EXPECT_TRUE(calls.wait_for_at_least(2));
  stop();
}

}  // namespace
}  // namespace takt::rclcpp
