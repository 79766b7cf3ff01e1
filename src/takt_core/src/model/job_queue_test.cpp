// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "job_queue.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace takt::model {
namespace {

TEST(JobQueueTest, IsARing) {
  std::vector<Job> slots(3);
  JobQueue queue(slots.data(), 3);
  std::uint64_t in = 0;
  std::uint64_t out = 0;
  for (int round = 0; round < 10; ++round) {
    while (!queue.full()) queue.push({.index = in++});
    EXPECT_EQ(queue.size(), 3u);
    for (std::uint32_t i = 0; i < 3; ++i) EXPECT_EQ(queue[i].index, out + i);
    for (int i = 0; i < 2; ++i, queue.pop()) EXPECT_EQ(queue.front().index, out++);
  }
}

TEST(JobQueueTest, OfNoSlotsIsFullAndEmpty) {
  const JobQueue queue;
  EXPECT_TRUE(queue.full());
  EXPECT_TRUE(queue.empty());
}

}  // namespace
}  // namespace takt::model
