// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt/clock.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <optional>
#include <thread>
#include <vector>

#include "takt/exceptions.hpp"

namespace takt {
namespace {

using namespace std::chrono_literals;
constexpr std::int64_t second = 1'000'000'000;

std::int64_t at(int seconds) {
  return seconds * second;
}

TEST(ClockTest, TheSteadyClockDoesNotGoBack) {
  const Clock clock(ClockType::steady);
  Time last = clock.now();
  for (int i = 0; i < 1000; ++i) {
    const Time now = clock.now();
    ASSERT_LE(last, now);
    last = now;
  }
  EXPECT_EQ(last.get_clock_type(), ClockType::steady);
}

TEST(ClockTest, RosTimeIsTheSystemsUntilItIsActive) {
  Clock ros(ClockType::ros);
  const Clock system(ClockType::system);
  const std::int64_t before = system.now_ns();
  const std::int64_t now = ros.now_ns();
  EXPECT_LE(before, now);
  EXPECT_LE(now, system.now_ns());
  EXPECT_FALSE(ros.ros_time_is_active());

  ros.activate_ros_time();
  EXPECT_TRUE(ros.ros_time_is_active());
  EXPECT_EQ(ros.now_ns(), 0);
  ros.set_ros_time(at(7));
  EXPECT_EQ(ros.now(), Time(7, 0, ClockType::ros));
  ros.deactivate_ros_time();
  EXPECT_GE(ros.now_ns(), before);
}

TEST(ClockTest, OnlyRosTimeCanBeSetAndOnlyWhenActive) {
  Clock steady(ClockType::steady);
  EXPECT_THROW(steady.activate_ros_time(), Error);
  EXPECT_THROW(steady.set_ros_time(1), Error);
  EXPECT_FALSE(steady.ros_time_is_active());
  Clock ros(ClockType::ros);
  EXPECT_THROW(ros.set_ros_time(1), Error);
}

TEST(ClockTest, UpdatesTellTheNewTimeAndTheDifference) {
  Clock clock(ClockType::ros);
  std::vector<TimeUpdate> updates;
  auto handle = clock.on_update([&](const TimeUpdate & update) {
    EXPECT_EQ(update.change == ClockChange::deactivated, !clock.ros_time_is_active());
    updates.push_back(update);
  });
  clock.activate_ros_time();
  clock.activate_ros_time();
  clock.set_ros_time(at(10));
  clock.set_ros_time(at(4));
  clock.deactivate_ros_time();
  handle.reset();
  clock.activate_ros_time();

  ASSERT_EQ(updates.size(), 4U);
  EXPECT_EQ(updates[0].change, ClockChange::activated);
  EXPECT_EQ(updates[0].now_ns, 0);
  EXPECT_EQ(updates[1].now_ns, at(10));
  EXPECT_EQ(updates[1].delta, 10s);
  EXPECT_EQ(updates[1].change, ClockChange::none);
  EXPECT_EQ(updates[2].now_ns, at(4));
  EXPECT_EQ(updates[2].delta, -6s);
  EXPECT_EQ(updates[3].change, ClockChange::deactivated);
  EXPECT_GT(updates[3].now_ns, at(10));
}

/// The jumps of a fixed sequence of changes that a threshold lets through, as (before, after).
std::vector<std::pair<std::int64_t, std::int64_t>> jumps(const JumpThreshold & threshold) {
  Clock clock(ClockType::ros);
  std::vector<std::pair<std::int64_t, std::int64_t>> seen;
  std::optional<std::int64_t> before;
  const auto handle =
      clock.create_jump_callback([&] { before = clock.now_ns() / second; },
                                 [&](const TimeUpdate & update) {
                                   seen.emplace_back(before.value(), update.now_ns / second);
                                   before.reset();
                                 },
                                 threshold);
  clock.activate_ros_time();
  for (const int t : {1, 2, 5, 3, 10, 9}) clock.set_ros_time(at(t));
  return seen;
}

TEST(ClockTest, JumpsBeyondTheThresholdAreToldBeforeAndAfter) {
  using Pairs = std::vector<std::pair<std::int64_t, std::int64_t>>;
  EXPECT_EQ(jumps({.on_clock_change = false, .min_forward = 3s}), (Pairs{{2, 5}, {3, 10}}));
  EXPECT_EQ(jumps({.on_clock_change = false, .min_backward = -1s}), (Pairs{{5, 3}, {10, 9}}));
  EXPECT_EQ(jumps({.on_clock_change = false, .min_backward = -2s}), (Pairs{{5, 3}}));
  EXPECT_TRUE(jumps({.on_clock_change = false}).empty());
  ASSERT_EQ(jumps({}).size(), 1U);
  EXPECT_EQ(jumps({})[0].second, 0);

  Clock clock(ClockType::ros);
  EXPECT_THROW(clock.create_jump_callback({}, {}, {.min_forward = -1s}), Error);
  EXPECT_THROW(clock.create_jump_callback({}, {}, {.min_backward = 1s}), Error);
}

TEST(ClockTest, AFunctionMayLetGoOfItselfAndRegisterOthers) {
  Clock clock(ClockType::ros);
  int first = 0;
  int second_function = 0;
  Clock::Handle one;
  Clock::Handle two;
  one = clock.on_update([&](const TimeUpdate &) {
    ++first;
    two = clock.on_update([&](const TimeUpdate &) { ++second_function; });
    one.reset();
  });
  clock.activate_ros_time();
  clock.set_ros_time(at(1));
  EXPECT_EQ(first, 1);
  EXPECT_EQ(second_function, 1);
}

TEST(ClockTest, AHandleMayOutliveItsClock) {
  Clock::Handle update;
  Clock::Handle jump;
  {
    Clock clock(ClockType::ros);
    update = clock.on_update([](const TimeUpdate &) {});
    jump = clock.create_jump_callback([] {}, [](const TimeUpdate &) {});
  }
  update.reset();
  jump.reset();
}

TEST(ClockTest, WhenAHandleIsGoneItsFunctionIsNotBeingCalled) {
  Clock clock(ClockType::ros);
  clock.activate_ros_time();
  std::atomic<bool> stop{false};
  std::thread source([&] {
    for (std::int64_t t = 1; !stop; ++t) clock.set_ros_time(t);
  });
  for (int i = 0; i < 200; ++i) {
    auto alive = std::make_shared<std::atomic<bool>>(true);
    std::atomic<int> calls{0};
    auto handle = clock.on_update([alive, &calls](const TimeUpdate &) {
      EXPECT_TRUE(*alive);
      ++calls;
    });
    while (calls == 0) std::this_thread::yield();
    handle.reset();
    *alive = false;
  }
  stop = true;
  source.join();
}

}  // namespace
}  // namespace takt
