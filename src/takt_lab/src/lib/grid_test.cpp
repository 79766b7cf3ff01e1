// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "grid.hpp"

#include <gtest/gtest.h>

namespace takt::lab {
namespace {

TEST(TaskGridTest, CountsThePointsBeforeTheEnd) {
  EXPECT_EQ(TaskGrid(0, 10, 100).count(), 10u);
  EXPECT_EQ(TaskGrid(0, 10, 101).count(), 11u);
  EXPECT_EQ(TaskGrid(5, 10, 100).count(), 10u);
  EXPECT_EQ(TaskGrid(99, 10, 100).count(), 1u);
  EXPECT_EQ(TaskGrid(100, 10, 100).count(), 0u);
  EXPECT_EQ(TaskGrid(0, 10, 0).count(), 0u);
  EXPECT_EQ(TaskGrid(25, 10, 30).count(), 1u);
}

TEST(TaskGridTest, TheLastPointIsInsideAndTheNextIsNot) {
  for (model::Duration phase = 0; phase < 30; ++phase) {
    for (model::Duration period = 1; period < 20; ++period) {
      for (model::Duration length = 0; length < 50; ++length) {
        const TaskGrid grid(phase, period, length);
        if (grid.count() > 0) {
          ASSERT_LT(grid.release(grid.count() - 1), length);
        }
        ASSERT_GE(grid.release(grid.count()), length);
      }
    }
  }
}

}  // namespace
}  // namespace takt::lab
