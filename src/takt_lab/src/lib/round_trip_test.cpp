// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "round_trip.hpp"

#include <gtest/gtest.h>

#include <takt_core/os/threads.hpp>
#include <vector>

namespace takt::lab {
namespace {

TEST(RoundTripTest, AWakeUpIsMeasuredUntilItsEnd) {
  const int cpu = os::current_cpu();
  std::vector<model::Duration> trips;
  model::Time last = 0;
  const model::Time end = os::now() + 5'000'000;
  hand_over({cpu, cpu}, end, [&](model::Time sent, model::Time back) {
    EXPECT_GE(sent, last);
    trips.push_back(back - sent);
    last = back;
  });
  EXPECT_GE(last, end);
  ASSERT_FALSE(trips.empty());
  for (const model::Duration trip : trips) EXPECT_GT(trip, 0);
}

TEST(RoundTripTest, ATurnIsCutIntoStretches) {
  std::vector<model::Duration> lengths;
  model::Time end = 0;
  in_stretches(2 * most_at_once + 1, end, [&] { lengths.push_back(end - os::now()); });
  ASSERT_EQ(lengths.size(), 3u);
  for (const model::Duration length : lengths) EXPECT_LE(length, most_at_once);
  EXPECT_LE(lengths.back(), 1);
}

}  // namespace
}  // namespace takt::lab
