// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "work.hpp"

#include <gtest/gtest.h>

#include <takt_core/os/clock.hpp>
#include <vector>

namespace takt::lab {
namespace {

TEST(WorkTest, BurnsAtLeastWhatIsAsked) {
  const Calibration calibration = calibrate();
  EXPECT_GT(calibration.steps_per_ns, 0);
  EXPECT_GT(calibration.thread_cpu_ns, 0);
  EXPECT_GE(calibration.spread, 0);
  const Work work(calibration);
  for (const model::Duration length : {1'000, 14'999, 100'000, 3'000'000}) {
    const model::Time begin = os::thread_cpu();
    work.burn_until(begin + length);
    EXPECT_GE(os::thread_cpu() - begin, length);
  }
}

TEST(WorkTest, OfThePastIsNone) {
  // With this calibration, even one chunk of work would take far too long.
  const Work work({.steps_per_ns = 1e9, .chunk = 1'000'000'000});
  const model::Time now = os::thread_cpu();
  work.burn_until(now);
  work.burn_until(0);
  work.burn_until(-1);
}

TEST(WorkTest, AWrongCalibrationStillBurnsByTheClock) {
  const Work work({.steps_per_ns = 1e-6, .chunk = 15'000});
  const model::Time begin = os::thread_cpu();
  work.burn_until(begin + 50'000);
  EXPECT_GE(os::thread_cpu() - begin, 50'000);
}

TEST(WorkTest, OneByteOfEachPageIsTouched) {
  std::vector<std::uint8_t> bytes(3 * 4096 + 1, 0);
  touch_pages(bytes, 7);
  for (std::size_t i = 0; i < bytes.size(); ++i) EXPECT_EQ(bytes[i], i % 4096 == 0 ? 7 : 0) << i;
  touch_pages({}, 7);
}

}  // namespace
}  // namespace takt::lab
