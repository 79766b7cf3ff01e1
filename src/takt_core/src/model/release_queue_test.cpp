// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "release_queue.hpp"

#include <gtest/gtest.h>

namespace takt::model {
namespace {

TEST(ReleaseQueue, GivesTheEarliestSource) {
  ReleaseQueue queue;
  EXPECT_EQ(queue.next(), never);
  const auto fast = queue.add(10, {0, 1});
  const auto slow = queue.add(25, {2});
  EXPECT_EQ(queue.next(), never);
  queue.push(slow, 5);
  queue.push(fast, 0);
  std::vector<std::pair<Time, TaskId>> seen;
  while (queue.next() < 40) {
    const ReleaseQueue::Source & source = queue.first();
    for (const TaskId task : source.members) seen.emplace_back(queue.next(), task);
    queue.postpone(queue.next() + source.period);
  }
  EXPECT_EQ(
      seen,
      (std::vector<std::pair<Time, TaskId>>{
          {0, 0}, {0, 1}, {5, 2}, {10, 0}, {10, 1}, {20, 0}, {20, 1}, {30, 0}, {30, 1}, {30, 2}}));
}

TEST(ReleaseQueue, SourcesDueAtOneInstantGoByNumber) {
  ReleaseQueue queue;
  for (TaskId task = 0; task < 5; ++task) queue.add(10, {task});
  for (const std::uint32_t source : {3u, 1u, 4u, 0u, 2u}) queue.push(source, 7);
  for (TaskId task = 0; task < 5; ++task, queue.pop()) {
    EXPECT_EQ(queue.first().members.front(), task);
  }
  EXPECT_EQ(queue.next(), never);
}

TEST(ReleaseQueue, PausesAndForgets) {
  ReleaseQueue queue;
  const auto source = queue.add(10, {4});
  queue.push(source, 1);
  queue.pause();
  EXPECT_EQ(queue.next(), never);
  queue.push(source, 2);
  EXPECT_EQ(queue.next(), 2);
  queue.clear();
  EXPECT_EQ(queue.next(), never);
  EXPECT_EQ(queue.add(10, {4}), 0u);
}

}  // namespace
}  // namespace takt::model
