// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "release_queue.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace takt::model {
namespace {

/// Adds timers.
std::uint32_t add(ReleaseQueue & queue, Duration period, const std::vector<TaskId> & members) {
  return queue.add(period, true, members);
}

TEST(ReleaseQueue, GivesTheEarliestSource) {
  ReleaseQueue queue;
  EXPECT_EQ(queue.next(), never);
  const auto fast = add(queue, 10, {0, 1});
  const auto slow = add(queue, 25, {2});
  EXPECT_EQ(queue.next(), never);
  queue.push(slow, 5);
  queue.push(fast, 0);
  std::vector<std::pair<Time, TaskId>> seen;
  while (queue.next() < 40) {
    for (const TaskId task : queue.first_members()) seen.emplace_back(queue.next(), task);
    queue.postpone(queue.next() + queue.first().period);
  }
  EXPECT_EQ(
      seen,
      (std::vector<std::pair<Time, TaskId>>{
          {0, 0}, {0, 1}, {5, 2}, {10, 0}, {10, 1}, {20, 0}, {20, 1}, {30, 0}, {30, 1}, {30, 2}}));
}

TEST(ReleaseQueue, SourcesDueAtOneInstantGoByNumber) {
  ReleaseQueue queue;
  for (TaskId task = 0; task < 5; ++task) add(queue, 10, {task});
  for (const std::uint32_t source : {3u, 1u, 4u, 0u, 2u}) queue.push(source, 7);
  for (TaskId task = 0; task < 5; ++task, queue.pop()) {
    EXPECT_EQ(queue.first().only, task);
  }
  EXPECT_EQ(queue.next(), never);
}

TEST(ReleaseQueue, KnowsTheMembersAndTheKindOfASource) {
  ReleaseQueue queue;
  const auto several = add(queue, 10, {3, 1});
  const TaskId one = 7;
  const auto other = queue.add(5, false, {&one, 1});
  EXPECT_TRUE(queue.timer(several));
  EXPECT_FALSE(queue.timer(other));
  EXPECT_EQ(queue.members(several).size(), 2u);
  EXPECT_EQ(queue.members(several).back(), 1u);
  queue.push(several, 4);
  EXPECT_EQ(queue.first().only, none);
  EXPECT_EQ(queue.first_members().front(), 3u);
  queue.set(other, 3);
  EXPECT_FALSE(queue.first().timer);
  EXPECT_EQ(queue.first().only, 7u);
  EXPECT_EQ(queue.first_members().size(), 1u);
}

TEST(ReleaseQueue, PausesAndForgets) {
  ReleaseQueue queue;
  const auto source = add(queue, 10, {4});
  queue.push(source, 1);
  queue.pause();
  EXPECT_EQ(queue.next(), never);
  queue.push(source, 2);
  EXPECT_EQ(queue.next(), 2);
  queue.clear();
  EXPECT_EQ(queue.next(), never);
  EXPECT_EQ(add(queue, 10, {4}), 0u);
}

}  // namespace
}  // namespace takt::model
