// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "thread_watch.hpp"

#include <gtest/gtest.h>

namespace takt::detail {
namespace {

constexpr os::Time ms = 1'000'000;

os::Time watched(const ThreadWatch & watch) {
  tasks::Inspection inspection;
  watch.fill(inspection);
  return inspection.watched;
}

TEST(ThreadWatch, CountsFromTheFirstLookHoweverLateItComes) {
  ThreadWatch watch;
  const tasks::Inspection nobody;
  watch.look(500 * ms, nobody);
  EXPECT_EQ(watched(watch), 0);
  watch.begin(1000 * ms, 200 * ms);
  // Until then nothing was watched, though it is later than asked for.
  watch.look(1900 * ms, nobody);
  EXPECT_EQ(watched(watch), 0);
  watch.look(2000 * ms, nobody);
  EXPECT_EQ(watched(watch), 100 * ms);
  // It goes on for as long from now.
  watch.begin(2050 * ms, 200 * ms);
  watch.look(2100 * ms, nobody);
  EXPECT_EQ(watched(watch), 200 * ms);
  watch.look(2260 * ms, nobody);
  EXPECT_EQ(watched(watch), 360 * ms);
  watch.look(2300 * ms, nobody);
  EXPECT_EQ(watched(watch), 360 * ms);
  watch.begin(3000 * ms, 200 * ms);
  EXPECT_EQ(watched(watch), 0);
}

}  // namespace
}  // namespace takt::detail
