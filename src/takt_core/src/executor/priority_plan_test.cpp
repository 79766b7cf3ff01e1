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
  EXPECT_EQ(plan.worker(2, 3), 44);
  EXPECT_EQ(plan.worker(1, 3), 43);
  EXPECT_EQ(plan.max_levels(), 44U);
  EXPECT_EQ(plan.worker(1, 44), 2);
  EXPECT_EQ(plan.worker(1, 1000), 2) << "never below workers_low";
}

TEST(PriorityPlanTest, EventThreadsLieBetweenTheHighestLevelAndTheNext) {
  const PriorityPlan plan;
  EXPECT_EQ(plan.events(true), 45);
  EXPECT_GT(plan.events(true), plan.worker(2, 3));
  EXPECT_EQ(plan.events(false), plan.middleware) << "a single worker would starve them";
  const PriorityPlan below_the_workers = {.middleware = 1};
  EXPECT_EQ(below_the_workers.events(true), 1) << "the user chose a lower one";
}

TEST(PriorityPlanTest, APlanWithFewPrioritiesHasFewLevels) {
  EXPECT_EQ((PriorityPlan{.workers_high = 20, .workers_low = 20}).max_levels(), 1U);
  const PriorityPlan two = {.workers_high = 21, .workers_low = 20};
  EXPECT_EQ(two.max_levels(), 2U);
  EXPECT_EQ(two.worker(1, 2), 20);
  EXPECT_EQ((PriorityPlan{.workers_high = 22, .workers_low = 20}).max_levels(), 2U);
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
