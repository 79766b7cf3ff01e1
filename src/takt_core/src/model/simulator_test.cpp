// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/model/simulator.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "testing/virtual_run.hpp"

namespace takt::model::testing {
namespace {

TEST(SimulatorTest, CountsPreemptions) {
  const TaskSet set =
      task_set({{.execution = 2, .period = 10, .phase = 1}, {.execution = 20, .period = 40}}, 40);
  const Outcome outcome = run(set, "rm");
  for (const SimulatedJob & job : outcome.result.jobs) {
    EXPECT_EQ(job.preemptions, job.job.task == 1 ? 3u : 0u);
  }
  EXPECT_EQ(outcome.result.jobs.size(), 5u);
  EXPECT_EQ(outcome.result.jobs[0].finish, 26);
}

TEST(SimulatorTest, AStallStopsEverything) {
  TaskSet set = task_set({{.execution = 4, .period = 10}, {.execution = 1, .period = 20}}, 40);
  set.options.stalls = {{2, 5}, {12, 12}, {18, 23}};
  const Outcome outcome = run(set, "rm");
  EXPECT_EQ(text(outcome.result.slices),
            "A0 0-2, A0 5-7, B0 7-8, A1 10-14, A2 23-27, B1 27-28, A3 30-34");
  EXPECT_EQ(outcome.result.jobs[3].job.release, 20);
  EXPECT_EQ(outcome.result.jobs[3].start, 23);
}

TEST(SimulatorTest, AJobThatEndsWithTheStallsBeginIsDone) {
  TaskSet set = task_set({{.execution = 4, .period = 10}}, 10);
  set.options.stalls = {{4, 9}};
  EXPECT_EQ(run(set, "rm").result.jobs[0].finish, 4);
}

TEST(SimulatorTest, ReleasesDuringAStallUpToTheEndAreSeen) {
  TaskSet set = task_set({{.execution = 4, .period = 10, .queue = 1}}, 40);
  set.options.stalls = {{15, 100}};
  const Outcome outcome = run(set, "rm");
  ASSERT_EQ(outcome.result.jobs.size(), 4u);
  EXPECT_EQ(outcome.result.jobs[3].job.release, 30);
  EXPECT_EQ(outcome.result.jobs[3].start, never);
}

TEST(SimulatorTest, KeepsUnfinishedAndSkippedJobsApart) {
  const TaskSet set = task_set({{.execution = 15, .period = 10}}, 35);
  const auto jobs = run(set, "rm").result.jobs;
  ASSERT_EQ(jobs.size(), 4u);
  EXPECT_EQ(jobs[0].finish, 15);
  EXPECT_TRUE(jobs[1].skipped);
  EXPECT_EQ(jobs[1].start, never);
  EXPECT_EQ(jobs[2].start, 20);
  EXPECT_EQ(jobs[2].finish, 35);
  EXPECT_TRUE(jobs[3].skipped);
}

TEST(SimulatorTest, CutsOffAtTheEnd) {
  const TaskSet set = task_set({{.execution = 15, .period = 20}}, 30);
  const Outcome outcome = run(set, "rm");
  EXPECT_EQ(outcome.result.jobs[1].start, 20);
  EXPECT_EQ(outcome.result.jobs[1].finish, never);
  EXPECT_EQ(text(outcome.result.slices), "A0 0-15, A1 20-30");
}

TEST(SimulatorTest, JobsMayTakeNoTime) {
  const TaskSet set =
      task_set({{.execution = 0, .period = 10}, {.execution = 3, .period = 10}}, 20);
  const Outcome outcome = run(set, "rm");
  EXPECT_EQ(text(outcome.result.slices), "B0 0-3, B1 10-13");
  EXPECT_EQ(outcome.counters[0].finished, 2u);
  EXPECT_EQ(outcome.result.jobs[0].finish, 0);
}

TEST(SimulatorTest, KeepsTheTimeBaseOfTheGrid) {
  constexpr Time t0 = 5'000'000'000'000;
  TaskSet set = task_set({{.execution = 3, .period = 10, .phase = 2}}, t0 + 20);
  set.options.stalls = {{t0 + 3, t0 + 4}};
  LocalScheduler scheduler = scheduler_of(set, make_policy("rm"));
  scheduler.start_grid(t0);
  scheduler.commit();
  const SimulationResult result = simulate(scheduler, set.execution, set.options);
  ASSERT_EQ(result.jobs.size(), 2u);
  EXPECT_EQ(result.jobs[0].start, t0 + 2);
  EXPECT_EQ(result.jobs[0].finish, t0 + 6);
}

TEST(SimulatorTest, StartsTheGridIfNobodyHas) {
  LocalScheduler scheduler(make_policy("rm"));
  scheduler.add_task(task_of({.period = 10}));
  const auto one = [](TaskId, std::uint64_t) { return Duration{1}; };
  EXPECT_EQ(simulate(scheduler, one, {.end = 30}).jobs.size(), 3u);
}

TEST(SimulatorTest, ReportsMisses) {
  const TaskSet set = task_set({{.execution = 8, .period = 10, .deadline = 5}}, 20);
  const Outcome outcome = run(set, "rm");
  ASSERT_EQ(outcome.result.misses.size(), 2u);
  EXPECT_EQ(outcome.result.misses[1].noticed, 15);
}

TEST(SimulatorTest, RefusesWrongInput) {
  const auto refused = [](const TaskSet & set) {
    EXPECT_THROW(run(set, "rm"), std::invalid_argument);
  };
  const TaskSet good = task_set({{.execution = 1, .period = 10}}, 20);
  TaskSet set = good;
  set.options.end = 0;
  refused(set);
  set = good;
  set.options.stalls = {{5, 6}, {5, 8}};
  refused(set);
  set.options.stalls = {{6, 5}};
  refused(set);
  set = good;
  set.options.arrivals = {{5, 0}, {4, 0}};
  refused(set);
  set = good;
  set.execution = [](TaskId, std::uint64_t) { return Duration{-1}; };
  refused(set);
}

}  // namespace
}  // namespace takt::model::testing
