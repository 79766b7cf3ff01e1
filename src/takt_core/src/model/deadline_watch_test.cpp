// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "deadline_watch.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

#include "testing/random_seed.hpp"

namespace takt::model {
namespace {

TEST(DeadlineWatchTest, ForgetsWhatIsErased) {
  DeadlineWatch watch;
  watch.make_room(3);
  EXPECT_EQ(watch.next(), never);
  watch.set(0, 30);
  watch.set(1, 10);
  watch.set(2, 20);
  EXPECT_EQ(watch.next(), 10);
  EXPECT_EQ(watch.first(), 1u);
  watch.erase(1);
  watch.erase(1);
  EXPECT_EQ(watch.next(), 20);
  watch.set(2, 40);
  EXPECT_EQ(watch.next(), 30);
  watch.erase(0);
  watch.erase(2);
  EXPECT_EQ(watch.next(), never);
}

TEST(DeadlineWatchTest, AgreesWithASortedSet) {
  std::mt19937_64 random(testing::random_seed());
  constexpr TaskId tasks = 60;
  DeadlineWatch watch;
  watch.make_room(tasks);
  std::map<TaskId, Time> deadlines;
  std::set<std::pair<Time, TaskId>> order;
  for (int i = 0; i < 50000; ++i) {
    const auto task = static_cast<TaskId>(random() % tasks);
    if (deadlines.count(task) > 0) order.erase({deadlines[task], task});
    deadlines.erase(task);
    if (random() % 3 == 0) {
      watch.erase(task);
    } else {
      const auto at = static_cast<Time>(random() % 1000);
      watch.set(task, at);
      deadlines[task] = at;
      order.insert({at, task});
    }
    ASSERT_EQ(watch.next(), order.empty() ? never : order.begin()->first);
    if (order.empty()) continue;
    ASSERT_EQ(watch.first(), order.begin()->second);
  }
}

}  // namespace
}  // namespace takt::model
