// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "started_stack.hpp"

#include <gtest/gtest.h>

namespace takt::model {
namespace {

Job job(TaskId task, Level level) {
  return {.task = task, .level = level};
}

TEST(StartedStackTest, KeepsTheHighestCeiling) {
  StartedStack stack;
  stack.reserve(5);
  EXPECT_EQ(stack.ceiling(), 0u);
  Job low = job(0, 1);
  Job high = job(1, 4);
  stack.push(low, 3);
  EXPECT_EQ(stack.ceiling(), 3u);
  stack.push(high, 4);
  EXPECT_EQ(stack.ceiling(), 4u);
  EXPECT_EQ(stack.top().task, 1u);
  stack.remove(4);
  EXPECT_EQ(stack.ceiling(), 3u);
  stack.remove(1);
  EXPECT_TRUE(stack.empty());
  EXPECT_EQ(stack.ceiling(), 0u);
}

TEST(StartedStackTest, FindsByLevel) {
  StartedStack stack;
  stack.reserve(5);
  Job low = job(7, 2);
  Job high = job(8, 5);
  stack.push(low, 2);
  stack.push(high, 5);
  EXPECT_EQ(stack.find(2), &low);
  EXPECT_EQ(stack.find(5), &high);
  EXPECT_EQ(stack.find(3), nullptr);
}

TEST(StartedStackTest, RemovesFromTheMiddle) {
  StartedStack stack;
  stack.reserve(5);
  Job low = job(0, 1);
  Job middle = job(1, 4);
  Job high = job(2, 6);
  stack.push(low, 3);
  stack.push(middle, 5);
  stack.push(high, 6);
  stack.remove(1);
  EXPECT_EQ(stack.ceiling(), 6u);
  stack.remove(6);
  EXPECT_EQ(stack.ceiling(), 5u);
  stack.remove(4);
  EXPECT_EQ(stack.ceiling(), 0u);
}

}  // namespace
}  // namespace takt::model
