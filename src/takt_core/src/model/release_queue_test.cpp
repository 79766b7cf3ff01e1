// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "release_queue.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>
#include <utility>
#include <vector>

namespace takt::model {
namespace {

/// Adds a source of timers.
std::uint32_t add(ReleaseQueue & queue, Duration period, const std::vector<TaskId> & members) {
  return queue.add(period, true, members);
}

TEST(ReleaseQueueTest, GivesTheEarliestSource) {
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

TEST(ReleaseQueueTest, SourcesDueAtOneInstantGoByNumber) {
  ReleaseQueue queue;
  for (TaskId task = 0; task < 5; ++task) add(queue, 10, {task});
  for (const std::uint32_t source : {3u, 1u, 4u, 0u, 2u}) queue.push(source, 7);
  for (TaskId task = 0; task < 5; ++task, queue.pop()) {
    EXPECT_EQ(queue.first().only, task);
  }
  EXPECT_EQ(queue.next(), never);
}

TEST(ReleaseQueueTest, TellsAllThatAreDue) {
  ReleaseQueue queue;
  const auto due = [&queue](Time limit) {
    std::set<TaskId> tasks;
    queue.due_by(limit, [&tasks](TaskId task) { EXPECT_TRUE(tasks.insert(task).second); });
    return tasks;
  };
  EXPECT_TRUE(due(100).empty());
  for (TaskId task = 0; task < 20; ++task) queue.push(add(queue, 10, {task}), 7 * task % 20);
  queue.push(add(queue, 10, {30, 31}), 0);  // has several members, so it is left out
  for (Time limit = -1; limit < 20; ++limit) {
    std::set<TaskId> expected;
    for (TaskId task = 0; task < 20; ++task) {
      if (7 * task % 20 <= limit) expected.insert(task);
    }
    EXPECT_EQ(due(limit), expected) << limit;
  }
}

TEST(ReleaseQueueTest, KnowsTheMembersAndTheKindOfASource) {
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

TEST(ReleaseQueueTest, SourcesOfOnePeriodGoByTheirInstantsWhateverTheirOrder) {
  ReleaseQueue queue;
  for (TaskId task = 0; task < 4; ++task) add(queue, 10, {task});
  const std::vector<Time> phases{3, 8, 1, 8};
  for (std::uint32_t source = 0; source < 4; ++source) queue.push(source, phases[source]);
  std::vector<std::pair<Time, TaskId>> seen;
  while (queue.next() < 30) {
    seen.emplace_back(queue.next(), queue.first().only);
    queue.postpone(queue.next() + 10);
  }
  std::vector<std::pair<Time, TaskId>> expected;
  for (const Time from : {0, 10, 20}) {
    for (const TaskId task : {2u, 0u, 1u, 3u}) expected.emplace_back(from + phases[task], task);
  }
  EXPECT_EQ(seen, expected);
}

// Comparison with a sorted set, for any order of calls.
TEST(ReleaseQueueTest, IsAsASortedSet) {
  const auto seed = std::random_device{}();
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  const auto below = [&random](int n) { return static_cast<int>(random() % unsigned(n)); };
  ReleaseQueue queue;
  const std::uint32_t count = 12;
  for (TaskId task = 0; task < count; ++task) add(queue, task % 3 * 5 + 5, {task});
  std::map<std::uint32_t, Time> due;
  const auto first = [&due] {
    std::pair<Time, std::uint32_t> best{never, none};
    for (const auto & [source, at] : due) best = std::min(best, {at, source});
    return best;
  };
  for (int step = 0; step < 20'000; ++step) {
    const auto source = static_cast<std::uint32_t>(below(int(count)));
    const Time now = first().first == never ? 0 : first().first;
    const Time at = now + below(20);
    switch (due.empty() ? 0 : below(10)) {
      case 0:
      case 1:
        if (due.contains(source)) break;
        queue.push(source, due[source] = at);
        break;
      case 2:
        queue.set(source, due[source] = at);
        break;
      case 3:
        queue.set(source, never);
        due.erase(source);
        break;
      case 4:
        due.erase(queue.first().only);
        queue.pop();
        break;
      case 5:
        if (below(100) > 0) break;
        queue.pause();
        due.clear();
        break;
      default: {
        const Time period = queue.first().period * (1 + below(50) / 49);
        due[queue.first().only] = now + period;
        queue.postpone(now + period);
      }
    }
    ASSERT_EQ(queue.next(), first().first) << step;
    if (!due.empty()) {
      ASSERT_EQ(queue.first().only, first().second) << step;
    }
    std::set<TaskId> told;
    std::set<TaskId> expected;
    queue.due_by(at, [&told](TaskId task) { EXPECT_TRUE(told.insert(task).second); });
    for (const auto & [task, when] : due) {
      if (when <= at) expected.insert(task);
    }
    ASSERT_EQ(told, expected) << step;
  }
}

TEST(ReleaseQueueTest, Pauses) {
  ReleaseQueue queue;
  const auto source = add(queue, 10, {4});
  queue.push(source, 1);
  queue.pause();
  EXPECT_EQ(queue.next(), never);
  queue.push(source, 2);
  EXPECT_EQ(queue.next(), 2);
}

}  // namespace
}  // namespace takt::model
