// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "budget_watch.hpp"

#include <gtest/gtest.h>

namespace takt::model {
namespace {

BudgetWatch watch_of(std::size_t tasks) {
  BudgetWatch watch;
  watch.make_room(tasks);
  return watch;
}

TEST(BudgetWatchTest, RunsOnlyWhileItsJobDoes) {
  BudgetWatch watch = watch_of(2);
  EXPECT_FALSE(watch.any());
  EXPECT_EQ(watch.next(), never);
  watch.start(0, 10, 100, false);
  EXPECT_TRUE(watch.any());
  EXPECT_EQ(watch.running(), 0u);
  EXPECT_EQ(watch.next(), 110);
  watch.pause(104);
  EXPECT_EQ(watch.next(), never);
  watch.resume(1, 104);  // has no budget
  EXPECT_EQ(watch.running(), none);
  watch.resume(0, 200);
  watch.resume(0, 203);
  EXPECT_EQ(watch.next(), 206);
  watch.notice(205);
  EXPECT_EQ(watch.ended(), none);
  watch.notice(206);
  EXPECT_EQ(watch.ended(), 0u);
  EXPECT_EQ(watch.next(), never);
  watch.extend(3, 210);
  EXPECT_EQ(watch.ended(), none);
  EXPECT_EQ(watch.next(), 213);
  watch.end(0);
  EXPECT_FALSE(watch.any());
  EXPECT_EQ(watch.next(), never);
}

TEST(BudgetWatchTest, AnEndThatWasNoticedIsNoticedAgainAfterAPreemption) {
  BudgetWatch watch = watch_of(1);
  watch.start(0, 10, 0, false);
  watch.notice(10);
  watch.pause(10);
  EXPECT_EQ(watch.ended(), none);
  watch.resume(0, 20);
  EXPECT_EQ(watch.next(), 20);
}

TEST(BudgetWatchTest, ABudgetUnwatchedIsKnownButNoEvent) {
  BudgetWatch watch = watch_of(1);
  watch.start(0, 10, 0, true);
  EXPECT_EQ(watch.next(), never);
  EXPECT_EQ(watch.budget(0), 10);
  watch.end(0);
  EXPECT_EQ(watch.budget(0), never);
}

}  // namespace
}  // namespace takt::model
