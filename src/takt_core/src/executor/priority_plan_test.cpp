// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/executor/priority_plan.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

namespace takt::executor {
namespace {

TEST(PriorityPlanTest, TheHighestLevelHasTheHighestPriority) {
  const PriorityPlan plan;
  EXPECT_EQ(plan.worker(1, 1), 46);
  EXPECT_EQ(plan.worker(3, 3), 46);
  EXPECT_EQ(plan.worker(1, 3), 44);
  EXPECT_EQ(plan.max_levels(), 45U);
  EXPECT_EQ(plan.worker(1, 45), 2);
  EXPECT_EQ(plan.worker(1, 1000), 2) << "never below workers_low";
}

TEST(PriorityPlanTest, TheDefaultLiesBelowInterruptThreads) {
  const PriorityPlan plan;
  EXPECT_NO_THROW(plan.validate());
  EXPECT_LT(plan.timer, 50);
}

TEST(PriorityPlanTest, AWrongLineIsNamed) {
  const auto error = [](const PriorityPlan & plan) -> std::string {
    try {
      plan.validate();
    } catch (const std::invalid_argument & refused) {
      return refused.what();
    }
    return "accepted";
  };
  using ::testing::StartsWith;
  EXPECT_THAT(error({.timer = 46}), StartsWith("priority plan: timer is 46, but must be above"));
  EXPECT_THAT(error({.timer = 100}), StartsWith("priority plan: timer is 100"));
  EXPECT_THAT(error({.middleware = 100}), StartsWith("priority plan: middleware is 100"));
  EXPECT_THAT(error({.handler = -1}), StartsWith("priority plan: handler is -1"));
  EXPECT_THAT(error({.workers_high = 1}), StartsWith("priority plan: workers_high is 1"));
  EXPECT_THAT(error({.workers_low = 0}), StartsWith("priority plan: workers_low is 0"));
  EXPECT_THAT(error({.background = 100}), StartsWith("priority plan: background is 100"));
}

}  // namespace
}  // namespace takt::executor
