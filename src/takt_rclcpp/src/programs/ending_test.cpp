// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "ending.hpp"

#include <gtest/gtest.h>

namespace takt::rclcpp {
namespace {

using namespace std::chrono_literals;

TEST(EndingTest, LeavesCallbacksWhatALauncherLeaves) {
  EXPECT_EQ(remaining(3s, 0s), 3s);
  EXPECT_EQ(remaining(3s, 900ms), 3s);
  EXPECT_EQ(remaining(3s, 3s), 1s);  // pre-shutdown callbacks have used all of theirs
  EXPECT_EQ(remaining(3s, 5s), 0s);
  EXPECT_EQ(remaining(200ms, 3s), 200ms);
}

TEST(EndingTest, LeavesThemMoreWhereMoreIsAskedFor) {
  EXPECT_EQ(remaining(20s, 0s), 20s);
  EXPECT_EQ(remaining(20s, 3s), 17s);
  EXPECT_EQ(remaining(20s, 30s), 0s);
}

}  // namespace
}  // namespace takt::rclcpp
