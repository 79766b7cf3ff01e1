// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "measuring.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <takt_core/os/clock.hpp>

namespace takt::lab {
namespace {

TEST(Measuring, IsWhatTheCallsTookOfTheThread) {
  const model::Time before = os::thread_cpu();
  const Measuring measuring = measure_measuring();
  const auto used = static_cast<double>(os::thread_cpu() - before);
  ASSERT_EQ(measuring.ns_per_call.size(), Measuring::repeats);
  double sum = 0;
  for (const double each : measuring.ns_per_call) sum += each * Measuring::calls;
  EXPECT_LE(sum, used);
  // Each call reads clocks: it cannot be had for less than one of them.
  const model::Time clock = os::thread_cpu();
  for (int i = 0; i < 1000; ++i) os::thread_cpu();
  const double read = static_cast<double>(os::thread_cpu() - clock) / 1000;
  EXPECT_GT(*std::min_element(measuring.ns_per_call.begin(), measuring.ns_per_call.end()),
            read / 2);
}

TEST(Measuring, EveryRepeatIsKept) {
  const auto json = to_json(measure_measuring());
  EXPECT_EQ(json["calls"], 100);
  EXPECT_EQ(json["repeats"], 100);
  EXPECT_EQ(json["ns_per_call"].size(), 100u);
}

}  // namespace
}  // namespace takt::lab
