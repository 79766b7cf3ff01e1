// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/tasks/nearest_name.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace takt::tasks {
namespace {

TEST(NearestNameTest, IsTheOneThatIsMeantOrNone) {
  const std::vector<std::string> names{
      "policy", "cpus", "strategy", "strategy_check_after", "lock_memory", "--params-file"};
  EXPECT_EQ(nearest_name("stratgy", names), "strategy");
  EXPECT_EQ(nearest_name("startegy", names), "strategy");
  EXPECT_EQ(nearest_name("strategy_check", names), "strategy_check_after");
  EXPECT_EQ(nearest_name("cpu", names), "cpus");
  EXPECT_EQ(nearest_name("lock_mem", names), "lock_memory");
  EXPECT_EQ(nearest_name("--parms-file", names), "--params-file");
  EXPECT_EQ(nearest_name("thread_num", names), "");
  EXPECT_EQ(nearest_name("", names), "");
  EXPECT_EQ(nearest_name("cpus", {}), "");
  EXPECT_EQ(nearest_ros_argument("--parms-file"), "--params-file");
  EXPECT_EQ(nearest_ros_argument("--isolated"), "");
}

}  // namespace
}  // namespace takt::tasks
