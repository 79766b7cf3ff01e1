// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// How the scheduler notices deadline misses.
#include <gtest/gtest.h>

#include "testing/virtual_run.hpp"

namespace takt::model::testing {
namespace {

std::vector<Miss> drain(LocalScheduler & scheduler) {
  std::vector<Miss> all;
  for (Miss miss; scheduler.next_miss(miss);) all.push_back(miss);
  return all;
}

LocalScheduler make(const std::vector<Spec> & specs, const std::string & policy = "edf") {
  return scheduler_of(task_set(specs, 1), make_policy(policy));
}

TEST(DeadlinesTest, AreNoticedAtTheInstantThemselves) {
  LocalScheduler scheduler = make({{.period = 10, .deadline = 6}, {.period = 100, .deadline = 7}});
  scheduler.advance(0);
  ASSERT_EQ(scheduler.decide(0).kind, Decision::Kind::start);
  EXPECT_EQ(scheduler.next_event(), 6);
  scheduler.advance(6);
  scheduler.advance(7);
  const std::vector<Miss> misses = drain(scheduler);
  ASSERT_EQ(misses.size(), 2u);
  EXPECT_EQ(misses[0].job.task, 0u);
  EXPECT_EQ(misses[0].noticed, 6);
  EXPECT_FALSE(misses[0].pending);
  EXPECT_EQ(misses[1].job.task, 1u);
  EXPECT_EQ(misses[1].noticed, 7);
  EXPECT_TRUE(misses[1].pending);
}

TEST(DeadlinesTest, AreCountedAndReportedOnce) {
  LocalScheduler scheduler = make({{.period = 100, .deadline = 5}});
  scheduler.advance(0);
  ASSERT_EQ(scheduler.decide(0).kind, Decision::Kind::start);
  scheduler.advance(5);
  scheduler.advance(20);
  EXPECT_TRUE(scheduler.finish(1, 30));
  EXPECT_EQ(drain(scheduler).size(), 1u);
  EXPECT_EQ(scheduler.counters(0).missed, 1u);
  EXPECT_EQ(scheduler.counters(0).finished, 1u);
}

TEST(DeadlinesTest, AreNoticedByALateFinishToo) {
  LocalScheduler scheduler = make({{.period = 100, .deadline = 5}});
  scheduler.advance(0);
  ASSERT_EQ(scheduler.decide(0).kind, Decision::Kind::start);
  EXPECT_TRUE(scheduler.finish(1, 6));
  const std::vector<Miss> misses = drain(scheduler);
  ASSERT_EQ(misses.size(), 1u);
  EXPECT_EQ(misses[0].noticed, 6);
}

TEST(DeadlinesTest, AFinishAtTheDeadlineIsOnTime) {
  LocalScheduler scheduler = make({{.period = 100, .deadline = 5}});
  scheduler.advance(0);
  ASSERT_EQ(scheduler.decide(0).kind, Decision::Kind::start);
  EXPECT_FALSE(scheduler.finish(1, 5));
  scheduler.advance(5);
  EXPECT_TRUE(drain(scheduler).empty());
}

TEST(DeadlinesTest, OfFinishedJobsAreNoEvents) {
  LocalScheduler scheduler = make({{.period = 100, .deadline = 5}, {.period = 100, .deadline = 8}});
  scheduler.advance(0);
  EXPECT_EQ(scheduler.next_event(), 5);
  ASSERT_EQ(scheduler.decide(0).job->task, 0u);
  scheduler.finish(scheduler.running(), 1);
  EXPECT_EQ(scheduler.next_event(), 8);
  ASSERT_EQ(scheduler.decide(1).job->task, 1u);
  scheduler.finish(scheduler.running(), 2);
  EXPECT_EQ(scheduler.next_event(), 100);
}

TEST(DeadlinesTest, AtTheNextReleaseCostNoEventOfTheirOwn) {
  LocalScheduler scheduler = make({{.period = 10}, {.period = 25, .queue = 2}});
  int events = 0;
  for (Time now = scheduler.next_event(); now < 100; now = scheduler.next_event()) {
    scheduler.advance(now);
    ++events;
  }
  EXPECT_EQ(events, 12);  // 10 releases of A, and 25 and 75
  const std::vector<Miss> misses = drain(scheduler);
  ASSERT_EQ(misses.size(), 4u);
  EXPECT_EQ(misses[0].noticed, 10);
  EXPECT_EQ(misses[1].noticed, 25);
  EXPECT_EQ(misses[2].noticed, 50);
  EXPECT_EQ(misses[3].noticed, 75);
}

TEST(DeadlinesTest, BeyondThePeriodAreWatchedForEveryJob) {
  LocalScheduler scheduler = make({{.period = 10, .deadline = 25, .queue = 3}});
  std::vector<Time> noticed;
  for (Time now = 0; now < 50; ++now) {
    scheduler.advance(now);
    for (const Miss & miss : drain(scheduler)) noticed.push_back(miss.noticed);
  }
  EXPECT_EQ(noticed, (std::vector<Time>{25, 35, 45}));
}

TEST(DeadlinesTest, TellStartedJobsFromThoseStillInTheQueue) {
  LocalScheduler scheduler = make({{.period = 10, .deadline = 25, .queue = 3}});
  scheduler.advance(0);
  ASSERT_EQ(scheduler.decide(0).kind, Decision::Kind::start);
  scheduler.advance(35);
  const std::vector<Miss> misses = drain(scheduler);
  ASSERT_EQ(misses.size(), 2u);
  EXPECT_FALSE(misses[0].pending);
  EXPECT_TRUE(misses[1].pending);
  // The first is late whenever it finishes now; the second one runs late as well.
  EXPECT_TRUE(scheduler.finish(1, 35));
  ASSERT_EQ(scheduler.decide(35).job->index, 1u);
  EXPECT_TRUE(scheduler.finish(1, 36));
  EXPECT_EQ(scheduler.next_event(), 40);
  EXPECT_TRUE(drain(scheduler).empty());
}

TEST(DeadlinesTest, NoticedTogetherAreAllReported) {
  LocalScheduler scheduler = make({{.period = 10, .deadline = 25, .queue = 3}});
  scheduler.advance(50);
  EXPECT_EQ(drain(scheduler).size(), 3u);
  EXPECT_EQ(scheduler.next_event(), 55);
}

TEST(DeadlinesTest, WithoutOneNothingIsMissed) {
  LocalScheduler scheduler = make({{.kind = TaskKind::service}});
  scheduler.release(0, 0, 0);
  EXPECT_EQ(scheduler.next_event(), never);
  ASSERT_EQ(scheduler.decide(0).kind, Decision::Kind::start);
  EXPECT_FALSE(scheduler.finish(1, 1'000'000));
  EXPECT_TRUE(drain(scheduler).empty());
}

TEST(DeadlinesTest, NotReportedForWantOfAReaderAreCounted) {
  LocalScheduler scheduler = make({{.period = 10, .deadline = 5}});
  for (Time now = 0; now < 100; now += 10) {
    scheduler.advance(now);
    ASSERT_EQ(scheduler.decide(now).kind, Decision::Kind::start);
    EXPECT_TRUE(scheduler.finish(1, now + 6));
  }
  EXPECT_EQ(scheduler.counters(0).missed, 10u);
  EXPECT_EQ(drain(scheduler).size(), 1u);
  EXPECT_EQ(scheduler.unreported(), 9u);
}

}  // namespace
}  // namespace takt::model::testing
