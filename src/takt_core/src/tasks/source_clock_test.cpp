// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/tasks/source_clock.hpp"

#include <gtest/gtest.h>

namespace takt::tasks {
namespace {

constexpr model::Time ms = 1'000'000;
constexpr model::Time epoch = 1'700'000'000'000 * ms;  // CLOCK_REALTIME when CLOCK_MONOTONIC was 0

TEST(SourceClockTest, ATimestampIsAnInstantOfTheSteadyClock) {
  SourceClock clock;
  EXPECT_EQ(clock.published(epoch + 90 * ms, {100 * ms, epoch + 100 * ms}), 90 * ms);
  EXPECT_EQ(clock.published(epoch + 150 * ms, {160 * ms, epoch + 160 * ms}), 150 * ms);
  EXPECT_EQ(clock.published(epoch + 50 * ms, {170 * ms, epoch + 170 * ms}), 50 * ms)
      << "a message from before the first reading of the clocks";
}

TEST(SourceClockTest, NothingIsPublishedLaterThanNow) {
  SourceClock clock;
  EXPECT_EQ(clock.published(epoch + 130 * ms, {100 * ms, epoch + 100 * ms}), 100 * ms);
  EXPECT_EQ(clock.published(0, {100 * ms, epoch + 100 * ms}), 100 * ms);
}

class SetClockTest : public ::testing::TestWithParam<model::Duration> {};
INSTANTIATE_TEST_SUITE_P(steps, SetClockTest,
                         ::testing::Values(500 * ms, -500 * ms, 86'400'000 * ms));

TEST_P(SetClockTest, MovesNoMessage) {
  const model::Duration step = GetParam();
  SourceClock clock;
  clock.look({1000 * ms, epoch + 1000 * ms});
  // The clock is set at 1002 ms. Messages published before that have timestamps of the old time.
  const auto system = [&](model::Time now) { return epoch + step + now; };
  EXPECT_EQ(clock.published(epoch + 999 * ms, {1005 * ms, system(1005 * ms)}), 999 * ms);
  EXPECT_EQ(clock.published(epoch + 900 * ms, {1006 * ms, system(1006 * ms)}), 900 * ms);
  // Later ones have timestamps of the new time.
  EXPECT_EQ(clock.published(system(1010 * ms), {1011 * ms, system(1011 * ms)}), 1010 * ms);
  for (model::Time now = 1100 * ms; now < 3000 * ms; now += 100 * ms) {
    EXPECT_EQ(clock.published(system(now - ms), {now, system(now)}), now - ms);
  }
}

TEST_P(SetClockTest, ThereAndBack) {
  const model::Duration step = GetParam();
  SourceClock clock;
  clock.look({1000 * ms, epoch + 1000 * ms});
  clock.look({1010 * ms, epoch + step + 1010 * ms});
  clock.look({1020 * ms, epoch + 1020 * ms});
  EXPECT_EQ(clock.published(epoch + step + 1009 * ms, {1021 * ms, epoch + 1021 * ms}), 1009 * ms);
  EXPECT_EQ(clock.published(epoch + 1021 * ms, {1022 * ms, epoch + 1022 * ms}), 1021 * ms);
}

TEST(SourceClockTest, AClockThatIsSlewedIsNotSet) {
  SourceClock clock;
  const auto system = [](model::Time now) { return epoch + now + now / 2000; };
  for (model::Time now = 0; now < 100'000 * ms; now += 1000 * ms) {
    EXPECT_NEAR(static_cast<double>(clock.published(system(now), {now + ms, system(now + ms)})),
                static_cast<double>(now), 1000);
  }
}

// A timestamp from a host whose clock is ahead must not be taken for one from before this host's
// clock was set.
TEST(SourceClockTest, AnotherHostsTimestampsMayBeAhead) {
  SourceClock clock;
  clock.look({1000 * ms, epoch + 1000 * ms});
  const auto system = [](model::Time now) { return epoch - 500 * ms + now; };
  clock.look({1001 * ms, system(1001 * ms)});
  EXPECT_EQ(clock.published(system(2000 * ms) + 100 * ms, {2001 * ms, system(2001 * ms)}),
            2001 * ms);
}

}  // namespace
}  // namespace takt::tasks
