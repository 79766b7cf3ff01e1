// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// Schedules worked out by hand, many of them from textbooks. A0 is job 0 of task A.
#include <gtest/gtest.h>

#include "testing/virtual_run.hpp"

namespace takt::model::testing {
namespace {

std::uint64_t missed(const TaskSet & set, const std::string & policy) {
  std::uint64_t all = 0;
  for (const TaskCounters & counters : run(set, policy).counters) {
    all += counters.missed + counters.skipped;
  }
  return all;
}

// U = 2/5 + 4/7 = 0.97: above the bound of rate monotonic, 2 (2^(1/2) - 1) = 0.83, and below that
// of EDF, 1 (Liu and Layland, Journal of the ACM 20, 1973).
const TaskSet tight = task_set({{.execution = 2, .period = 5}, {.execution = 4, .period = 7}}, 35);

TEST(SchedulesTest, RateMonotonicMissesWhereTheShorterPeriodGoesFirst) {
  // B0 is late by 1, so the release of B1 at 7 is skipped.
  EXPECT_EQ(schedule(tight, "rm"),
            "A0 0-2, B0 2-5, A1 5-7, B0 7-8, A2 10-12, B2 14-15, A3 15-17, B2 17-20, A4 20-22, "
            "B3 22-25, A5 25-27, B3 27-28, B4 28-30, A6 30-32, B4 32-34");
  EXPECT_EQ(missed(tight, "rm"), 2u);
}

TEST(SchedulesTest, EarliestDeadlineFirstMeetsAllDeadlinesOfTheSameSet) {
  EXPECT_EQ(schedule(tight, "edf"),
            "A0 0-2, B0 2-6, A1 6-8, B1 8-12, A2 12-14, B2 14-15, A3 15-17, B2 17-20, A4 20-22, "
            "B3 22-26, A5 26-28, B4 28-32, A6 32-34");
  EXPECT_EQ(missed(tight, "edf"), 0u);
}

TEST(SchedulesTest, RateMonotonicUsesAHarmonicProcessorFully) {
  const TaskSet set = task_set({{.execution = 1, .period = 2}, {.execution = 2, .period = 4}}, 8);
  EXPECT_EQ(schedule(set, "rm"), "A0 0-1, B0 1-2, A1 2-3, B0 3-4, A2 4-5, B1 5-6, A3 6-7, B1 7-8");
  EXPECT_EQ(missed(set, "rm"), 0u);
}

TEST(SchedulesTest, DeadlineMonotonicMeetsWhatRateMonotonicMisses) {
  const TaskSet set =
      task_set({{.execution = 3, .period = 10}, {.execution = 2, .period = 20, .deadline = 4}}, 20);
  EXPECT_EQ(schedule(set, "dm"), "B0 0-2, A0 2-5, A1 10-13");
  EXPECT_EQ(missed(set, "dm"), 0u);
  EXPECT_EQ(schedule(set, "rm"), "A0 0-3, B0 3-5, A1 10-13");
  EXPECT_EQ(missed(set, "rm"), 1u);
}

TEST(SchedulesTest, FixedPriorityFollowsTheNumberAlone) {
  const TaskSet set = task_set({{.execution = 3, .period = 10, .priority = 1},
                                {.execution = 4, .period = 20, .phase = 1, .priority = 98}},
                               10);
  EXPECT_EQ(schedule(set, "fp"), "A0 0-1, B0 1-5, A0 5-7");
}

TEST(SchedulesTest, PhasesShiftTheGrid) {
  const TaskSet set = task_set(
      {{.execution = 1, .period = 10, .phase = 4}, {.execution = 2, .period = 10, .phase = 25}},
      40);
  EXPECT_EQ(schedule(set, "rm"), "A0 4-5, A1 14-15, A2 24-25, B0 25-27, A3 34-35, B1 35-37");
}

// ---- what keeps a more urgent job waiting

TEST(SchedulesTest, NonPreemptiveJobsBlockOnce) {
  const TaskSet set = task_set({{.execution = 1, .period = 20, .phase = 1, .priority = 3},
                                {.execution = 2, .period = 20, .priority = 2},
                                {.execution = 6, .period = 20, .priority = 1}},
                               20);
  EXPECT_EQ(schedule(set, "np-fp"), "B0 0-2, A0 2-3, C0 3-9");
  EXPECT_EQ(schedule(set, "fp"), "B0 0-1, A0 1-2, B0 2-3, C0 3-9");
}

/// Bounded priority inversion: the low job C holds the group that the high job A needs. The middle
/// job B must not run in between although it does not need the group: it would lengthen A's
/// blocking.
TEST(SchedulesTest, TheCeilingKeepsTheMiddlePriorityOut) {
  const TaskSet set =
      task_set({{.execution = 2, .period = 40, .phase = 3, .priority = 3, .group = 0},
                {.execution = 4, .period = 40, .phase = 2, .priority = 2},
                {.execution = 5, .period = 40, .priority = 1, .group = 0}},
               40, {{.exclusive = true}});
  EXPECT_EQ(schedule(set, "fp"), "C0 0-5, A0 5-7, B0 7-11");
}

TEST(SchedulesTest, AReentrantGroupBlocksNobody) {
  const TaskSet set =
      task_set({{.execution = 2, .period = 40, .phase = 3, .priority = 3, .group = 0},
                {.execution = 5, .period = 40, .priority = 1, .group = 0}},
               40, {{.exclusive = false}});
  EXPECT_EQ(schedule(set, "fp"), "B0 0-3, A0 3-5, B0 5-7");
}

TEST(SchedulesTest, AJobAboveTheCeilingPreempts) {
  const TaskSet set =
      task_set({{.execution = 1, .period = 40, .phase = 3, .priority = 4},
                {.execution = 2, .period = 40, .phase = 1, .priority = 3, .group = 0},
                {.execution = 5, .period = 40, .priority = 1, .group = 0}},
               40, {{.exclusive = true}});
  EXPECT_EQ(schedule(set, "fp"), "C0 0-3, A0 3-4, C0 4-6, B0 6-8");
}

/// The stack resource policy under EDF, with levels by relative deadline. C (deadline 30) holds the
/// group that A (deadline 10) needs; B (20) is more urgent than C but must wait, too.
TEST(SchedulesTest, TheStackResourcePolicyWorksUnderEdf) {
  const TaskSet set =
      task_set({{.execution = 2, .period = 60, .deadline = 10, .phase = 2, .group = 0},
                {.execution = 3, .period = 60, .deadline = 20, .phase = 1},
                {.execution = 4, .period = 60, .deadline = 30, .group = 0}},
               60, {{.exclusive = true}});
  EXPECT_EQ(schedule(set, "edf"), "C0 0-4, A0 4-6, B0 6-9");
  EXPECT_EQ(missed(set, "edf"), 0u);
}

TEST(SchedulesTest, EdfPreemptsOnlyForAnEarlierDeadline) {
  // B is released during A, with the shorter relative but the later absolute deadline.
  const TaskSet set = task_set({{.execution = 8, .period = 100, .deadline = 20},
                                {.execution = 2, .period = 100, .deadline = 15, .phase = 6}},
                               100);
  EXPECT_EQ(schedule(set, "edf"), "A0 0-8, B0 8-10");
  EXPECT_EQ(schedule(set, "dm"), "A0 0-6, B0 6-8, A0 8-10");
}

/// A blocked job that is the most urgent one keeps all others from starting.
TEST(SchedulesTest, ABlockedMostUrgentJobIsNotOvertaken) {
  const TaskSet set =
      task_set({{.execution = 1, .period = 90, .phase = 1, .priority = 9, .group = 0},
                {.execution = 1, .period = 90, .phase = 1, .priority = 8},
                {.execution = 9, .period = 90, .priority = 1, .group = 0}},
               90, {{.exclusive = true}});
  EXPECT_EQ(schedule(set, "fp"), "C0 0-9, A0 9-10, B0 10-11");
}

TEST(SchedulesTest, MergedLevelsDoNotPreemptEachOther) {
  TaskSet set = task_set({{.execution = 1, .period = 90, .phase = 2, .priority = 4},
                          {.execution = 2, .period = 90, .phase = 1, .priority = 3},
                          {.execution = 3, .period = 90, .phase = 0, .priority = 2},
                          {.execution = 4, .period = 90, .phase = 0, .priority = 1}},
                         90);
  EXPECT_EQ(schedule(set, "fp"), "C0 0-1, B0 1-2, A0 2-3, B0 3-4, C0 4-6, D0 6-10");
  set.max_levels = 2;  // {A, B} and {C, D}
  EXPECT_EQ(schedule(set, "fp"), "C0 0-1, B0 1-3, A0 3-4, C0 4-6, D0 6-10");
}

// ---- overruns

TEST(SchedulesTest, AnOverrunSkipsTheRelease) {
  TaskSet set = task_set({{.execution = 2, .period = 10}}, 50);
  set.execution = [](TaskId, std::uint64_t index) { return index == 1 ? 12 : 2; };
  EXPECT_EQ(schedule(set, "rm"), "A0 0-2, A1 10-22, A3 30-32, A4 40-42");
}

TEST(SchedulesTest, AnOverrunWaitsInTheQueue) {
  TaskSet set = task_set({{.execution = 2, .period = 10, .queue = 1}}, 50);
  set.execution = [](TaskId, std::uint64_t index) { return index == 1 ? 22 : 2; };
  EXPECT_EQ(schedule(set, "rm"), "A0 0-2, A1 10-32, A2 32-34, A4 40-42");
}

TEST(SchedulesTest, FinishingAtTheNextReleaseIsNoOverrunAndNotLate) {
  const TaskSet set = task_set({{.execution = 10, .period = 10}}, 30);
  EXPECT_EQ(schedule(set, "rm"), "A0 0-10, A1 10-20, A2 20-30");
  EXPECT_EQ(missed(set, "rm"), 0u);
}

// ---- tasks that are not timers

TEST(SchedulesTest, AMinimumIntervalDelays) {
  TaskSet set =
      task_set({{.execution = 1, .period = 10, .queue = 1, .kind = TaskKind::subscription}}, 100);
  set.options.arrivals = {{5, 0}, {7, 0}, {8, 0}, {9, 0}, {60, 0}};
  // 7 and 8 are delayed to 15 and 25; the third delayed one, 9, is skipped.
  EXPECT_EQ(schedule(set, "rm"), "A0 5-6, A2 15-16, A3 25-26, A4 60-61");
  EXPECT_EQ(run(set, "rm").counters[0].skipped, 1u);
}

TEST(SchedulesTest, WithoutAnIntervalArrivalsAreReleases) {
  TaskSet set = task_set({{.execution = 3, .queue = 1, .kind = TaskKind::subscription}}, 100);
  set.options.arrivals = {{5, 0}, {6, 0}, {7, 0}, {20, 0}};
  EXPECT_EQ(schedule(set, "edf"), "A0 5-8, A1 8-11, A3 20-23");
}

}  // namespace
}  // namespace takt::model::testing
