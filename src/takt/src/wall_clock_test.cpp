// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// Setting the wall clock while everything runs affects only what shows the wall clock's time.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <std_msgs/msg/u_int64.hpp>
#include <string>
#include <vector>

#include "takt/takt.hpp"
#include "takt_core/os/clock.hpp"
#include "testing/background.hpp"
#include "testing/seen.hpp"
#include "testing/wall_clock.hpp"

namespace takt {
namespace {

using namespace std::chrono_literals;
using testing::eventually;
using testing::Seen;
using Message = std_msgs::msg::UInt64;

constexpr Duration step = 500ms;

class WallClockTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!wall_.may_be_set()) GTEST_SKIP() << "setting the clock requires CAP_SYS_TIME";
  }

  std::shared_ptr<Node> node(const char * name, const std::shared_ptr<Context> & context) {
    return std::make_shared<Node>(name, NodeOptions{.context = context});
  }
  std::shared_ptr<Node> node(const char * name) { return node(name, context_); }

  /// A long stall of the machine looks like a clock that was set, and other programs may set it,
  /// too. Returns whether one of several rounds was undisturbed.
  static bool in_some_round(const std::function<bool()> & undisturbed) {
    for (int round = 0; round < 5; ++round) {
      if (undisturbed()) return true;
    }
    return false;
  }

  testing::WallClock wall_;  // created before there are threads
  std::shared_ptr<Context> context_ = testing::make_context();
  testing::Background<SchedulingExecutor> background_{context_};
};

TEST_F(WallClockTest, TimersAndDeadlinesStayWhereTheyAre) {
  constexpr Duration period = 5ms;
  constexpr std::size_t jobs = 40;
  const auto each = node("node");
  Seen<JobInfo> steady;
  Seen<JobInfo> ros;
  TimerOptions options{.deadline = 400ms, .queue = 80};
  const auto timer =
      each->create_timer("steady", period, options, [&](const JobInfo & job) { steady.add(job); });
  options.clock = ClockType::ros;
  const auto on_ros_time =
      each->create_timer("ros", period, options, [&](const JobInfo & job) { ros.add(job); });
  background_.add(each);
  background_.start();
  const auto & executor = background_.executor();
  const auto missed = [&] {
    return executor.counters("node/steady").missed + executor.counters("node/ros").missed;
  };
  EXPECT_TRUE(in_some_round([&] {
    const auto before = missed();
    for (const Duration by : {step, -step}) {
      const std::size_t so_far = steady.size();
      wall_.step(by);
      steady.wait_for(so_far + jobs);
      ros.wait_for(ros.size() + jobs);
    }
    return missed() == before;
  }));
  background_.stop();
  for (auto * seen : {&steady, &ros}) {
    const std::vector<JobInfo> all = seen->wait_for(1);
    for (std::size_t i = 1; i < all.size(); ++i) {
      ASSERT_GE(all[i].start, all[i].release);
      ASSERT_EQ(all[i].release - all[0].release,
                static_cast<model::Time>(all[i].index - all[0].index) * period.count());
    }
  }
}

TEST_F(WallClockTest, RosTimeMoves) {
  const auto each = node("node");
  EXPECT_TRUE(in_some_round([&] {
    bool moved = true;
    for (const Duration by : {step, -step}) {
      const model::Time began = os::now();
      const Duration before(each->now().nanoseconds());
      const model::Time first = os::now();
      wall_.step(by);
      const model::Time second = os::now();
      const Duration after(each->now().nanoseconds());
      const model::Time ended = os::now();
      moved = moved && after - before >= by + Duration(second - first) &&
              after - before <= by + Duration(ended - began);
    }
    return moved;
  }));
}

TEST_F(WallClockTest, AMinimumIntervalIsKept) {
  const auto each = node("node");
  Seen<model::Time> releases;
  const auto publisher = each->create_publisher<Message>("topic", 10);
  const auto subscription = each->create_subscription<Message>(
      "topic", 10, [&](const Message &) { releases.add(current_job()->release); },
      {.min_interval = 50ms});
  background_.add(each);
  background_.start();
  std::size_t count = 0;
  for (const Duration by : {step, -step}) {
    publisher->publish(Message());
    publisher->publish(Message());
    wall_.step(by);
    count += 2;
    const auto seen = releases.wait_for(count);
    ASSERT_EQ(seen.size(), count);
    EXPECT_GE(seen[count - 1] - seen[count - 2], 50'000'000);
  }
  background_.stop();
}

TEST_F(WallClockTest, ALifespanIsKept) {
  const auto each = node("node");
  const auto publisher = each->create_publisher<Message>("topic", QoS(1).lifespan(400ms));
  Seen<std::uint64_t> values;
  // The timer reads a message that was published before the clock was set.
  const auto subscription = each->create_subscription<Message>(
      "topic", 1, [&](const Message & message) { values.add(message.data); });
  const auto timer = each->create_timer("read", 1h, {.reads = {{subscription}}}, [] {});
  EXPECT_TRUE(in_some_round([&] {
    publisher->publish(Message());
    wall_.step(step);
    SchedulingExecutor executor({.lock_memory = false, .context = context_});
    const auto stop = each->create_timer("stop", 1h, {.priority = 1}, [&] { executor.cancel(); });
    executor.add_node(each);
    executor.spin();
    wall_.step(-step);
    executor.remove_node(each);
    return values.size() > 0;
  }));
}

TEST_F(WallClockTest, DataIsAsOldAsItIs) {
  constexpr Duration max_age = 400ms;
  const auto other = testing::make_context();
  const auto reader = node("reader");
  const auto outside = node("outside", other)->create_publisher<Message>("outside", 1);
  const auto inside = node("inside")->create_publisher<Message>("inside", 1);
  struct Way {
    const char * topic;
    std::shared_ptr<SubscriptionBase> subscription{};
    std::shared_ptr<Timer> timer{};
    Seen<JobInfo> jobs{};
  } ways[] = {{"outside"}, {"inside"}};
  for (Way & way : ways) {
    way.subscription = reader->create_subscription<Message>(way.topic, 1, [](const Message &) {});
    way.timer = reader->create_timer(
        std::string("reads_") + way.topic, 10ms,
        {.priority = 50,
         .reads = {{way.subscription, {.max_age = max_age, .on_stale = OnStale::report}}}},
        [&way](const JobInfo & job) { way.jobs.add(job); });
  }
  // Delays the delivery of arrived messages while `hold` is true.
  std::atomic<bool> hold = false;
  Seen<bool> held;
  const auto holder = node("holder");
  const auto holds = holder->create_timer("hold", 1ms, {.priority = 90}, [&] {
    if (!hold) return;
    held.add(true);
    // Limited in time, because it may run at a real-time priority.
    for (const os::Time end = os::now() + 5'000'000'000; hold && os::now() < end;) {
    }
  });
  background_.add(holder);
  background_.add(reader);
  background_.start();
  ASSERT_TRUE(eventually([&] { return outside->get_subscription_count() == 1; }));

  for (Way & way : ways) {
    EXPECT_TRUE(in_some_round([&] {
      for (const Duration by : {step, -step}) {
        // The previous message is too old by now, so only a new one makes the data fresh.
        if (!eventually([&] { return way.jobs.wait_for(1).back().stale; })) return false;
        const std::size_t before = way.jobs.size();
        hold = true;
        held.wait_for(1);
        const model::Time earliest = os::now();
        (way.topic == ways[0].topic ? outside : inside)->publish(Message());
        EXPECT_TRUE(outside->wait_for_all_acked(testing::patience));
        const model::Time latest = os::now();
        wall_.step(by);
        hold = false;
        const auto jobs = way.jobs.wait_for(before + 5);
        held.clear();
        const JobInfo & job = jobs.back();
        if (job.stale || job.oldest_input < earliest || job.oldest_input > latest) return false;
      }
      return true;
    })) << way.topic;
  }
  background_.stop();  // before the variables that its callbacks use are destroyed
}

}  // namespace
}  // namespace takt
