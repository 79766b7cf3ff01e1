// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "slot_area.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace takt::model {
namespace {

TEST(SlotArea, GivesPlacesOneBehindTheOther) {
  SlotArea area;
  std::array<JobQueue, 3> queues;
  const std::array wanted{SlotArea::Wanted{&queues[0], 1}, SlotArea::Wanted{&queues[1], 3},
                          SlotArea::Wanted{&queues[2], 1}};
  area.lay(wanted);
  EXPECT_EQ(queues[1].capacity(), 3u);
  EXPECT_EQ(&queues[1].push() - &queues[0].push(), 1);
  EXPECT_EQ(&queues[2].push() - &queues[0].front(), 4);
}

TEST(SlotArea, QueuesThatComeLaterDoNotMoveTheFirst) {
  SlotArea area;
  std::array<JobQueue, 20> queues;
  std::vector<SlotArea::Wanted> wanted;
  std::size_t moves = 0;
  const Job * first = nullptr;
  for (JobQueue & queue : queues) {
    wanted.push_back({&queue, 2});
    area.lay(wanted);
    if (queues[0].empty()) queues[0].push({.index = 42});
    EXPECT_EQ(queues[0].front().index, 42u);
    moves += &queues[0].front() != first ? 1 : 0;
    first = &queues[0].front();
  }
  EXPECT_LE(moves, 6u);
}

TEST(SlotArea, JobsMoveWithTheirQueue) {
  SlotArea area;
  JobQueue early;
  JobQueue late;
  const std::array one{SlotArea::Wanted{&late, 2}};
  area.lay(one);
  late.push({.index = 1});
  late.push({.index = 2});
  late.pop();
  late.push({.index = 3});
  // A task that takes the number of one that went comes before.
  const std::array both{SlotArea::Wanted{&early, 2}, SlotArea::Wanted{&late, 3}};
  area.lay(both);
  ASSERT_EQ(late.size(), 2u);
  EXPECT_EQ(late[0].index, 2u);
  EXPECT_EQ(late[1].index, 3u);
  EXPECT_TRUE(early.empty());
  EXPECT_FALSE(late.full());
}

}  // namespace
}  // namespace takt::model
