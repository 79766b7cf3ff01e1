// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "measuring.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <takt_core/model/types.hpp>
#include <takt_core/os/clock.hpp>

namespace takt::lab {
namespace {

TEST(MeasuringTest, IsWhatTheCallsTookOfTheThread) {
  const model::Time before = os::thread_cpu();
  const Measuring measuring = measure_measuring();
  const auto used = static_cast<double>(os::thread_cpu() - before);
  ASSERT_EQ(measuring.ns_per_call.size(), Measuring::repeats);
  double sum = 0;
  for (const double each : measuring.ns_per_call) sum += each * Measuring::calls;
  EXPECT_LE(sum, used);
  // Each call reads clocks, so it costs at least as much as one read of a clock. The fastest repeats of
  // both are compared, because other repeats may have been disturbed by the host.
  double read = std::numeric_limits<double>::infinity();
  for (std::size_t repeat = 0; repeat < Measuring::repeats; ++repeat) {
    const model::Time clock = os::thread_cpu();
    for (std::size_t i = 0; i < Measuring::calls; ++i) os::thread_cpu();
    const auto took = static_cast<double>(os::thread_cpu() - clock);
    read = std::min(read, took / static_cast<double>(Measuring::calls));
  }
  EXPECT_GT(*std::min_element(measuring.ns_per_call.begin(), measuring.ns_per_call.end()),
            read / 2);
}

TEST(MeasuringTest, EveryRepeatIsKept) {
  const auto json = to_json(measure_measuring());
  EXPECT_EQ(json["calls"], 100);
  EXPECT_EQ(json["repeats"], 100);
  EXPECT_EQ(json["ns_per_call"].size(), 100u);
}

}  // namespace
}  // namespace takt::lab
