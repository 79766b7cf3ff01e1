// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/tasks/decimal.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace takt::tasks {
namespace {

TEST(DecimalTest, HasSoManyDigitsAsAreAskedForOrAsItTakes) {
  EXPECT_EQ(decimal(10, 3), "10.000");
  EXPECT_EQ(decimal(0.0005, 3), "0.001");
  EXPECT_EQ(decimal(-2.5, 0), "-2");
  EXPECT_EQ(decimal(12345.6, 1), "12345.6");
  EXPECT_EQ(decimal(0.2), "0.2");
  EXPECT_EQ(decimal(3), "3");
  EXPECT_EQ(decimal(std::numeric_limits<double>::max(), 20).size(), 309U + 1 + 20);
}

}  // namespace
}  // namespace takt::tasks
