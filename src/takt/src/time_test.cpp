// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt/time.hpp"

#include <gtest/gtest.h>

#include <random>
#include <stdexcept>

namespace takt {
namespace {

using namespace std::chrono_literals;
using StampMessage = builtin_interfaces::msg::Time;

TEST(TimeTest, GoesThroughAMessageUnchanged) {
  std::mt19937_64 random(7);
  std::uniform_int_distribution<std::int64_t> any(0, 2'000'000'000'999'999'999);
  for (int i = 0; i < 1000; ++i) {
    const Time before(any(random), ClockType::ros);
    const StampMessage message = before;
    EXPECT_LT(message.nanosec, 1'000'000'000U);
    EXPECT_EQ(Time(message), before);
  }
}

TEST(TimeTest, RefusesWhatAMessageCannotHold) {
  EXPECT_THROW(static_cast<void>(StampMessage(Time(-1))), std::out_of_range);
  EXPECT_THROW(static_cast<void>(StampMessage(Time(std::int64_t{1} << 62))), std::out_of_range);
}

TEST(TimeTest, ADurationBelowZeroCountsItsNanosecondsUp) {
  const auto message = to_message(-1500ms);
  EXPECT_EQ(message.sec, -2);
  EXPECT_EQ(message.nanosec, 500'000'000U);
  EXPECT_EQ(from_message(message), -1500ms);
  EXPECT_THROW(to_message(Duration::max()), std::out_of_range);
}

TEST(TimeTest, Arithmetic) {
  const Time t(5, 250'000'000, ClockType::steady);
  EXPECT_DOUBLE_EQ(t.seconds(), 5.25);
  EXPECT_EQ((t + 750ms).nanoseconds(), 6'000'000'000);
  EXPECT_EQ(t - (t - 1s), 1s);
  EXPECT_LT(t, t + 1ns);
  EXPECT_EQ((t + 1s).get_clock_type(), ClockType::steady);
}

TEST(TimeTest, InstantsOfDifferentClocksDoNotCompare) {
  const Time ros(1, ClockType::ros);
  const Time steady(1, ClockType::steady);
  EXPECT_THROW(static_cast<void>(ros == steady), std::invalid_argument);
  EXPECT_THROW(static_cast<void>(ros < steady), std::invalid_argument);
  EXPECT_THROW(static_cast<void>(ros - steady), std::invalid_argument);
}

}  // namespace
}  // namespace takt
