// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "job_replay.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "error.hpp"

namespace takt::lab {
namespace {

using model::Time;
using ::testing::ElementsAre;

RecordedJob job(std::uint32_t task, Time release, Time deadline, Time execution,
                std::uint32_t group) {
  return {.task = task,
          .group = group,
          .release = release,
          .deadline = deadline,
          .finish = deadline,
          .execution = execution};
}

TEST(JobReplayTest, PreemptsByDeadlineAndKeepsGroupsApart) {
  // A more urgent job preempts the first job, unless both are in one group or the policy is not preemptive.
  EXPECT_THAT(replay_jobs({job(0, 100, 200, 10, 0), job(1, 102, 120, 3, 1)}, "edf", {}),
              ElementsAre(113, 105));
  EXPECT_THAT(replay_jobs({job(0, 100, 200, 10, 0), job(2, 102, 120, 3, 0)}, "edf", {}),
              ElementsAre(110, 113));
  EXPECT_THAT(replay_jobs({job(0, 100, 200, 10, 0), job(1, 102, 120, 3, 1)}, "np-edf", {}),
              ElementsAre(110, 113));
  EXPECT_TRUE(replay_jobs({}, "edf", {}).empty());
}

TEST(JobReplayTest, ATaskMayChangeItsDeadlineAndWaitForItself) {
  EXPECT_THAT(replay_jobs({job(0, 100, 200, 10, 0), job(0, 105, 130, 10, 0)}, "edf", {}),
              ElementsAre(110, 120));
}

TEST(JobReplayTest, NothingRunsInAStall) {
  EXPECT_THAT(replay_jobs({job(0, 100, 200, 10, 0)}, "edf", {{0, 50}, {95, 103}, {105, 155}}),
              ElementsAre(163));
}

TEST(JobReplayTest, BeginsAnewWhereTheRunWasIdle) {
  std::vector<RecordedJob> jobs;
  for (Time i = 0; i < 120'000; ++i) {
    RecordedJob one = job(0, i * 100, i * 100 + 100, 60, 0);
    one.finish = one.release + 70;
    jobs.push_back(one);
  }
  const std::vector<Time> finishes = replay_jobs(jobs, "edf", {{5'000'000, 5'000'040}});
  ASSERT_EQ(finishes.size(), jobs.size());
  for (std::size_t i = 0; i < finishes.size(); ++i) {
    ASSERT_EQ(finishes[i] - jobs[i].release, i == 50'000 ? 100 : 60) << i;
  }
}

TEST(JobReplayTest, RefusesWhatCannotHaveBeen) {
  EXPECT_THROW(replay_jobs({job(0, 100, 100, 1, 0)}, "edf", {}), Error);
  EXPECT_THROW(replay_jobs({job(0, 100, 200, -1, 0)}, "edf", {}), Error);
  EXPECT_THROW(replay_jobs({job(0, 100, 200, 1, 0), job(0, 99, 200, 1, 0)}, "edf", {}), Error);
}

}  // namespace
}  // namespace takt::lab
