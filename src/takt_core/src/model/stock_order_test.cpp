// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// The order of ROS 2's stock executor (policy `ros`).
#include <gtest/gtest.h>

#include "testing/virtual_run.hpp"

namespace takt::model::testing {
namespace {

/// Figure 2.4 of the thesis: three timers registered in the order 1, 2, 3; task 1 publishes what
/// task 3 reads. The subscription that delivers it runs last, so task 3 uses old data.
TEST(StockOrderTest, DeliversAfterAllTimers) {
  TaskSet set = task_set({{.execution = 10, .period = 100, .priority = 3},
                          {.execution = 20, .period = 100, .priority = 1},
                          {.execution = 15, .period = 100, .priority = 2},
                          {.execution = 5, .kind = TaskKind::subscription}},
                         100);
  set.options.arrivals = {{10, 3}};
  EXPECT_EQ(schedule(set, "ros"), "A0 0-10, B0 10-30, C0 30-45, D0 45-50");
}

TEST(StockOrderTest, ServesTimersThenSubscriptionsThenServicesThenClients) {
  TaskSet set = task_set({{.kind = TaskKind::client},
                          {.kind = TaskKind::service},
                          {.kind = TaskKind::subscription},
                          {.period = 100, .phase = 2},
                          {.execution = 5, .period = 100},
                          {.kind = TaskKind::other}},
                         100);
  set.options.arrivals = {{1, 5}, {1, 0}, {2, 1}, {3, 2}};
  EXPECT_EQ(schedule(set, "ros"), "E0 0-5, D0 5-6, C0 6-7, B0 7-8, A0 8-9, F0 9-10");
}

TEST(StockOrderTest, TakesTheNextSnapshotWhenTheLastIsWorkedOff) {
  // While A runs, C and B become ready: the second snapshot. Timer A, ready again before C starts,
  // belongs to the third, although it comes first in order.
  TaskSet set = task_set({{.execution = 4, .period = 6},
                          {.execution = 3, .period = 100, .phase = 1},
                          {.execution = 2, .kind = TaskKind::subscription}},
                         14);
  set.options.arrivals = {{2, 2}};
  EXPECT_EQ(schedule(set, "ros"), "A0 0-4, B0 4-7, C0 7-9, A1 9-13");
}

TEST(StockOrderTest, RunsOneJobOfACallbackPerSnapshot) {
  TaskSet set = task_set({{.execution = 5, .period = 100},
                          {.execution = 1, .queue = 3, .kind = TaskKind::subscription},
                          {.execution = 1, .queue = 3, .kind = TaskKind::subscription}},
                         100);
  set.options.arrivals = {{1, 1}, {1, 1}, {2, 1}, {3, 2}, {3, 2}};
  EXPECT_EQ(schedule(set, "ros"), "A0 0-5, B0 5-6, C0 6-7, B1 7-8, C1 8-9, B2 9-10");
}

TEST(StockOrderTest, IgnoresPrioritiesAndDeadlines) {
  const TaskSet set = task_set({{.execution = 5, .period = 100, .deadline = 100, .priority = 1},
                                {.execution = 5, .period = 100, .deadline = 6, .priority = 98}},
                               100);
  EXPECT_EQ(schedule(set, "ros"), "A0 0-5, B0 5-10");
}

TEST(StockOrderTest, KeepsToTheIndexOfTasksWithEqualRelease) {
  const TaskSet set = task_set(
      {{.period = 90, .phase = 1}, {.execution = 9, .period = 90}, {.period = 90, .phase = 1}}, 90);
  EXPECT_EQ(schedule(set, "ros"), "B0 0-9, A0 9-10, C0 10-11");
}

}  // namespace
}  // namespace takt::model::testing
