// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// Negative controls: the checker must detect broken policies, schedulers and logs.
#include "testing/schedule_checker.hpp"

#include <gtest/gtest.h>

#include "takt_core/model/urgency_policy.hpp"
#include "testing/random_task_set.hpp"

namespace takt::model::testing {
namespace {

/// The violated rules without details, such as {"order", "grid"}.
std::set<std::string> broken(const TaskSet & set, const std::string & policy,
                             const Outcome & outcome) {
  std::set<std::string> rules;
  for (const std::string & each : violations(set, rules_of(policy), outcome)) {
    rules.insert(each.substr(0, each.find(':')));
  }
  return rules;
}

using Broken = std::set<std::string>;

/// A runs from 0 to 2 in every period of 10, B from 2 to 12 with A in between, C when both have
/// finished.
TaskSet three_tasks() {
  return task_set({{.execution = 2, .period = 10, .priority = 3},
                   {.execution = 10, .period = 20, .priority = 2},
                   {.execution = 3, .period = 40, .priority = 1}},
                  40);
}

TEST(ScheduleCheckerTest, FindsNothingInARightSchedule) {
  const TaskSet set = three_tasks();
  const Outcome outcome = run(set, "fp");
  ASSERT_EQ(
      text(outcome.result.slices),
      "A0 0-2, B0 2-10, A1 10-12, B0 12-14, C0 14-17, A2 20-22, B1 22-30, A3 30-32, B1 32-34");
  EXPECT_EQ(broken(set, "fp", outcome), Broken());
}

// ---- broken policies

TEST(ScheduleCheckerTest, CatchesAnInvertedUrgency) {
  const TaskSet set = three_tasks();
  const auto late_first = [](const Task &, const Job & job, const ApplicationState &) {
    return -job.deadline;
  };
  const auto rank = [](const Task & task) { return -task.deadline; };
  EXPECT_TRUE(broken(set, "np-edf", run(set, std::make_unique<UrgencyPolicy>("bad", late_first)))
                  .count("order"));
  EXPECT_TRUE(broken(set, "edf", run(set, std::make_unique<UrgencyPolicy>("bad", late_first, rank)))
                  .count("order"));
}

TEST(ScheduleCheckerTest, CatchesIdlingWhileJobsWait) {
  const TaskSet set = three_tasks();
  const auto hold = [](const Task &, const Job & job, Time, const ApplicationState &) {
    return job.release + 1;
  };
  const auto by_deadline = [](const Task &, const Job & job, const ApplicationState &) {
    return job.deadline;
  };
  const auto idling = [&] {
    return std::make_unique<UrgencyPolicy>("idling", by_deadline, nullptr, hold);
  };
  EXPECT_EQ(broken(set, "np-edf", run(set, idling())), Broken({"work conserving"}));
}

TEST(ScheduleCheckerTest, CatchesLevelsThatDoNotFitThePolicy) {
  const TaskSet set = three_tasks();
  const auto by_priority = [](const Task & task, const Job &, const ApplicationState &) {
    return -task.priority;
  };
  const auto one = [](const Task &) { return 1; };
  const auto inverted = [](const Task & task) { return -task.priority; };
  EXPECT_TRUE(
      broken(set, "fp", run(set, std::make_unique<UrgencyPolicy>("x", by_priority, inverted)))
          .count("levels"));
  Outcome outcome = run(set, std::make_unique<UrgencyPolicy>("x", by_priority, one));
  outcome.levels = {3, 2, 1};  // the right levels, with which it should have preempted
  EXPECT_EQ(broken(set, "fp", outcome), Broken({"order"}));
}

/// Every built-in policy violates the rules of every other one in some random task set.
TEST(ScheduleCheckerTest, TellsThePoliciesApart) {
  std::map<std::pair<std::string, std::string>, bool> told_apart;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const TaskSet set = RandomTaskSet(seed).make();
    for (const std::string & policy : policy_names()) {
      const Outcome outcome = run(set, policy);
      for (const std::string & rules : policy_names()) {
        told_apart[{policy, rules}] |= !broken(set, rules, outcome).empty();
      }
    }
  }
  for (const auto & [pair, different] : told_apart) {
    EXPECT_EQ(different, pair.first != pair.second)
        << pair.first << " against the rules of " << pair.second;
  }
}

// ---- broken schedulers: the scheduler gets other tasks than the checker

/// A task of low priority holds a group that one of high priority needs; one of middle priority
/// does not.
TaskSet with_group() {
  return task_set({{.execution = 2, .period = 40, .phase = 3, .priority = 3, .group = 0},
                   {.execution = 4, .period = 40, .phase = 2, .priority = 2},
                   {.execution = 5, .period = 40, .priority = 1, .group = 0}},
                  40, {{.exclusive = true}});
}

TEST(ScheduleCheckerTest, CatchesIgnoredCeilings) {
  const TaskSet set = with_group();
  EXPECT_EQ(broken(set, "fp", run(set, "fp")), Broken());
  TaskSet ignorant = set;
  ignorant.groups[0].exclusive = false;
  EXPECT_EQ(broken(set, "fp", run(ignorant, "fp")), Broken({"ceiling", "exclusion"}));
}

TEST(ScheduleCheckerTest, CatchesDriftingReleases) {
  const TaskSet set = three_tasks();
  TaskSet drifting = set;
  ++drifting.tasks[1].period;
  EXPECT_TRUE(broken(set, "fp", run(drifting, "fp")).count("grid"));
}

TEST(ScheduleCheckerTest, CatchesAWrongQueue) {
  TaskSet set = task_set({{.execution = 15, .period = 10}}, 100);
  TaskSet queueing = set;
  queueing.tasks[0].queue = 1;
  EXPECT_TRUE(broken(set, "fp", run(queueing, "fp")).count("skip"));
  EXPECT_TRUE(broken(queueing, "fp", run(set, "fp")).count("skip"));
}

TEST(ScheduleCheckerTest, CatchesAnIntervalNotEnforced) {
  TaskSet set = task_set({{.execution = 1, .period = 10, .kind = TaskKind::subscription}}, 100);
  set.options.arrivals = {{0, 0}, {4, 0}};
  TaskSet unlimited = set;
  unlimited.tasks[0].period = 0;
  EXPECT_EQ(broken(set, "fp", run(unlimited, "fp")), Broken({"interval"}));
}

TEST(ScheduleCheckerTest, CatchesABudgetNotKept) {
  TaskSet set = three_tasks();
  set.tasks[1].budget = 4;
  set.tasks[1].on_budget = OnBudget::background;
  EXPECT_EQ(broken(set, "fp", run(set, "fp")), Broken());
  TaskSet generous = set;
  generous.tasks[1].budget = 5;
  EXPECT_EQ(broken(set, "fp", run(generous, "fp")), Broken({"budget"}));
  generous.tasks[1].on_budget = OnBudget::report;
  EXPECT_EQ(broken(set, "fp", run(generous, "fp")), Broken({"budget"}));
  EXPECT_EQ(broken(three_tasks(), "fp", run(set, "fp")), Broken({"budget"}));
}

TEST(ScheduleCheckerTest, CatchesWhatWasLoweredRunningBeforeOthers) {
  TaskSet set = three_tasks();
  set.tasks[1].budget = 4;
  set.tasks[1].on_budget = OnBudget::background;
  Outcome outcome = run(set, "fp");
  ASSERT_EQ(text(outcome.result.slices),
            "A0 0-2, B0 2-6, C0 6-9, B0 9-10, A1 10-12, B0 12-17, A2 20-22, B1 22-30, A3 30-32, "
            "B1 32-34");
  outcome.result.slices[2] = {1, 0, 6, 7};
  outcome.result.slices[3] = {2, 0, 7, 10};
  for (SimulatedJob & job : outcome.result.jobs) {
    if (job.job.task == 2) job.start = 7, job.finish = 10;
  }
  EXPECT_EQ(broken(set, "fp", outcome), Broken({"budget"}));
}

TEST(ScheduleCheckerTest, CatchesWorkInAStall) {
  TaskSet set = three_tasks();
  const Outcome outcome = run(set, "fp");
  set.options.stalls = {{3, 4}};
  EXPECT_TRUE(broken(set, "fp", outcome).count("slices"));
}

// ---- broken logs

TEST(ScheduleCheckerTest, CatchesALostRelease) {
  const TaskSet set = three_tasks();
  Outcome outcome = run(set, "fp");
  std::erase_if(outcome.result.jobs, [](const auto & job) { return job.job.task == 2; });
  EXPECT_TRUE(broken(set, "fp", outcome).count("grid"));
}

TEST(ScheduleCheckerTest, CatchesTheWrongStartedJobRunning) {
  const TaskSet set = three_tasks();
  Outcome outcome = run(set, "fp");
  for (Slice & slice : outcome.result.slices) {
    if (slice.task == 0 && slice.index == 1) slice = {1, 0, slice.from, slice.to};
  }
  EXPECT_TRUE(broken(set, "fp", outcome).count("running"));
}

TEST(ScheduleCheckerTest, CatchesTwoStartedJobsOfOneLevel) {
  const TaskSet set = three_tasks();
  Outcome outcome = run(set, "fp");
  outcome.levels = {2, 2, 1};
  EXPECT_TRUE(broken(set, "fp", outcome).count("levels"));
}

/// C starts before A's release and blocks it, which is allowed. B, which is less urgent, too, must
/// not run before A afterwards, even if the group's ceiling is said to prevent A from starting.
TEST(ScheduleCheckerTest, CatchesASecondBlocking) {
  const TaskSet set =
      task_set({{.execution = 2, .period = 40, .phase = 1, .priority = 3, .group = 0},
                {.execution = 4, .period = 40, .phase = 2, .priority = 2},
                {.execution = 5, .period = 40, .priority = 1, .group = 0}},
               40, {{.exclusive = true}});
  Outcome outcome = run(set, "fp");
  ASSERT_EQ(text(outcome.result.slices), "C0 0-5, A0 5-7, B0 7-11");
  ASSERT_EQ(broken(set, "fp", outcome), Broken());
  outcome.result.slices = {{2, 0, 0, 2}, {1, 0, 2, 6}, {2, 0, 6, 9}, {0, 0, 9, 11}};
  for (SimulatedJob & job : outcome.result.jobs) {
    if (job.job.task == 0) job.start = 9, job.finish = 11;
    if (job.job.task == 1) job.start = 2, job.finish = 6;
    if (job.job.task == 2) job.start = 0, job.finish = 9;
  }
  const Broken rules = broken(set, "fp", outcome);
  EXPECT_TRUE(rules.count("blocking"));
  EXPECT_TRUE(rules.count("ceiling"));
}

TEST(ScheduleCheckerTest, CatchesOvertakingWithinATask) {
  const TaskSet set = task_set(
      {{.execution = 4, .period = 5, .deadline = 20, .queue = 2}, {.execution = 10, .period = 100}},
      20);
  Outcome outcome = run(set, "fifo");
  ASSERT_EQ(text(outcome.result.slices), "A0 0-4, B0 4-14, A1 14-18, A2 18-20");
  for (SimulatedJob & job : outcome.result.jobs) {
    if (job.job.task == 0 && job.job.index == 1) job.start = never, job.finish = never;
    if (job.job.task == 0 && job.job.index == 2) job.start = 14, job.finish = 18;
  }
  outcome.result.slices = {{0, 0, 0, 4}, {1, 0, 4, 14}, {0, 2, 14, 18}};
  EXPECT_TRUE(broken(set, "fifo", outcome).count("order"));
}

}  // namespace
}  // namespace takt::model::testing
