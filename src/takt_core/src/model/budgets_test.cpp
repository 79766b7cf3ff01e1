// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "testing/virtual_run.hpp"

namespace takt::model::testing {
namespace {

constexpr OnBudget background = OnBudget::background;

/// A may use 2 of the 6 that it needs in every period of 20; B and C are less urgent.
TaskSet greedy(OnBudget on_budget) {
  return task_set(
      {{.execution = 6, .period = 20, .priority = 3, .budget = 2, .on_budget = on_budget},
       {.execution = 3, .period = 20, .priority = 2},
       {.execution = 4, .period = 20, .priority = 1}},
      20);
}

TEST(BudgetsTest, AnExhaustedOneIsTold) {
  const Outcome outcome = run(greedy(OnBudget::report), "fp");
  EXPECT_EQ(text(outcome.result.slices), "A0 0-6, B0 6-9, C0 9-13");
  EXPECT_EQ(outcome.counters[0].exhausted, 1u);
  EXPECT_EQ(outcome.counters[0].lowered, 0u);
  ASSERT_EQ(outcome.result.exhaustions.size(), 1u);
  const Exhaustion & told = outcome.result.exhaustions[0];
  EXPECT_EQ(told.job.task, 0u);
  EXPECT_EQ(told.noticed, 2);
  EXPECT_EQ(told.used, 2);
  EXPECT_FALSE(told.lowered);
}

TEST(BudgetsTest, OrItsJobGoesOnInTheBackground) {
  const Outcome outcome = run(greedy(background), "fp");
  EXPECT_EQ(text(outcome.result.slices), "A0 0-2, B0 2-5, C0 5-9, A0 9-13");
  EXPECT_EQ(outcome.result.jobs[0].lowered, 2);
  EXPECT_EQ(outcome.counters[0].lowered, 1u);
  EXPECT_TRUE(outcome.result.exhaustions.at(0).lowered);
}

TEST(BudgetsTest, WhatIsUsedUpExactlyIsEnough) {
  TaskSet set = greedy(background);
  set.tasks[0].budget = 6;
  const Outcome outcome = run(set, "fp");
  EXPECT_EQ(outcome.counters[0].exhausted, 0u);
  EXPECT_EQ(text(outcome.result.slices), "A0 0-6, B0 6-9, C0 9-13");
}

TEST(BudgetsTest, OthersOfTheLevelMayStart) {
  const TaskSet set =
      task_set({{.execution = 9, .period = 30, .budget = 2, .on_budget = background},
                {.execution = 9, .period = 30, .budget = 3, .on_budget = background},
                {.execution = 2, .period = 30, .phase = 10}},
               30);
  EXPECT_EQ(schedule(set, "rm"), "A0 0-2, B0 2-5, A0 5-10, C0 10-12, A0 12-14, B0 14-20");
}

TEST(BudgetsTest, TimeOfOthersIsNotCharged) {
  const TaskSet set =
      task_set({{.execution = 5, .period = 40, .phase = 1, .priority = 3},
                {.execution = 4, .period = 40, .priority = 2, .budget = 3, .on_budget = background},
                {.execution = 2, .period = 40, .priority = 1}},
               40);
  EXPECT_EQ(schedule(set, "fp"), "B0 0-1, A0 1-6, B0 6-8, C0 8-10, B0 10-11");
}

TEST(BudgetsTest, ANestOfBudgetsEachHasItsOwn) {
  const TaskSet set =
      task_set({{.execution = 9,
                 .period = 90,
                 .phase = 1,
                 .priority = 3,
                 .budget = 4,
                 .on_budget = background},
                {.execution = 9, .period = 90, .priority = 2, .budget = 3, .on_budget = background},
                {.execution = 2, .period = 90, .priority = 1}},
               90);
  EXPECT_EQ(schedule(set, "fp"), "B0 0-1, A0 1-5, B0 5-7, C0 7-9, A0 9-14, B0 14-20");
}

TEST(BudgetsTest, TheNextReleaseFindsALoweredJobUnfinished) {
  TaskSet set = task_set({{.execution = 8, .period = 10, .budget = 2, .on_budget = background},
                          {.execution = 5, .period = 10}},
                         30);
  Outcome outcome = run(set, "rm");
  EXPECT_EQ(text(outcome.result.slices),
            "A0 0-2, B0 2-7, A0 7-10, B1 10-15, A0 15-18, A2 20-22, "
            "B2 22-27, A2 27-30");
  EXPECT_EQ(outcome.counters[0].overruns, 1u);
  EXPECT_EQ(outcome.counters[0].skipped, 1u);
  EXPECT_EQ(outcome.counters[0].missed, 1u);  // A0, at its deadline 10
  set.tasks[0].queue = 1;
  outcome = run(set, "rm");
  EXPECT_EQ(text(outcome.result.slices),
            "A0 0-2, B0 2-7, A0 7-10, B1 10-15, A0 15-18, A1 18-20, "
            "B2 20-25, A1 25-30");
}

TEST(BudgetsTest, OnlyTheCpuTimeUsedCounts) {
  LocalScheduler scheduler = scheduler_of(greedy(background), make_policy("fp"));
  scheduler.advance(0);
  ASSERT_EQ(scheduler.decide(0).kind, Decision::Kind::start);
  EXPECT_EQ(scheduler.next_event(), 2);
  scheduler.advance(2);
  ASSERT_NE(scheduler.to_charge(), nullptr);
  EXPECT_EQ(scheduler.to_charge()->task, 0u);
  EXPECT_EQ(scheduler.next_event(), 20);  // no event until it is charged
  // The job has used no CPU time, as something else had the CPU.
  EXPECT_EQ(scheduler.charge(0, 2).kind, Decision::Kind::nothing);
  EXPECT_EQ(scheduler.next_event(), 4);
  scheduler.advance(4);
  EXPECT_EQ(scheduler.charge(1, 4, 3).kind, Decision::Kind::nothing);
  EXPECT_EQ(scheduler.next_event(), 7);
  scheduler.advance(7);
  const Decision decision = scheduler.charge(2, 7);
  EXPECT_EQ(decision.kind, Decision::Kind::lower);
  EXPECT_EQ(decision.job->task, 0u);
  EXPECT_EQ(decision.worker, 3u);
  EXPECT_EQ(scheduler.to_charge(), nullptr);
  EXPECT_TRUE(scheduler.idle());
  EXPECT_EQ(scheduler.lowered(), 1u);
  EXPECT_TRUE(scheduler.lowered(0));
  EXPECT_FALSE(scheduler.lowered(1));
  EXPECT_FALSE(scheduler.finish(3, 8));  // no job is started on this worker
  EXPECT_EQ(scheduler.counters(0).finished, 0u);
  EXPECT_FALSE(scheduler.finish_lowered(1, 8));
  EXPECT_FALSE(scheduler.finish_lowered(0, 8));
  EXPECT_EQ(scheduler.counters(0).finished, 1u);
  EXPECT_EQ(scheduler.lowered(), 0u);
}

TEST(BudgetsTest, AJobThatFinishedLateIsToldIfItUsedMore) {
  LocalScheduler scheduler = scheduler_of(greedy(background), make_policy("fp"));
  scheduler.advance(0);
  scheduler.decide(0);
  scheduler.finish(3, 9, 5);
  Exhaustion told;
  ASSERT_TRUE(scheduler.has_notices());
  ASSERT_TRUE(scheduler.next_exhaustion(told));
  EXPECT_EQ(told.used, 5);
  EXPECT_FALSE(told.lowered);
  EXPECT_FALSE(scheduler.next_exhaustion(told));
  EXPECT_EQ(scheduler.counters(0).exhausted, 1u);
}

TEST(BudgetsTest, WithoutPreemptionTheyAreToldAtTheFinish) {
  for (const char * policy : {"np-fp", "fifo"}) {
    const Outcome outcome = run(greedy(background), policy);
    EXPECT_EQ(text(outcome.result.slices), "A0 0-6, B0 6-9, C0 9-13");
    EXPECT_EQ(outcome.counters[0].exhausted, 1u);
    EXPECT_EQ(outcome.counters[0].lowered, 0u);
    EXPECT_EQ(outcome.result.exhaustions.at(0).noticed, 6);
    EXPECT_EQ(outcome.result.exhaustions.at(0).used, 6);
  }
}

TEST(BudgetsTest, ALoweredJobMissesItsDeadlineLikeAnyOther) {
  TaskSet set = greedy(background);
  set.tasks[0].deadline = 10;
  const Outcome outcome = run(set, "fp");
  ASSERT_EQ(outcome.result.misses.size(), 1u);
  EXPECT_EQ(outcome.result.misses[0].noticed, 10);
  EXPECT_FALSE(outcome.result.misses[0].pending);
}

TEST(BudgetsTest, AStallIsNotTheJobsTime) {
  TaskSet set = greedy(background);
  set.options.stalls = {{1, 5}};
  EXPECT_EQ(schedule(set, "fp"), "A0 0-1, A0 5-6, B0 6-9, C0 9-13, A0 13-17");
}

TEST(BudgetsTest, AScenarioGivesThem) {
  TaskSet set = greedy(background);
  set.tasks[0].budget = never;
  LocalScheduler scheduler = scheduler_of(set, make_policy("fp"));
  std::vector<Scenario> scenarios(1);
  scenarios[0].timings[0] = {.budget = 2};
  scheduler.set_scenarios(std::move(scenarios), -1);
  scheduler.commit();
  set.options.end = 60;
  // Of two jobs that are running at a switch, each goes on with its old parameters.
  set.options.switches = {{1, 1}, {21, 0}, {41, 1}};
  const SimulationResult result = simulate(scheduler, set.execution, set.options);
  EXPECT_EQ(text(result.slices),
            "A0 0-6, B0 6-9, C0 9-13, A1 20-22, B1 22-25, C1 25-29, A1 29-33, "
            "A2 40-46, B2 46-49, C2 49-53");
}

TEST(BudgetsTest, TheSchedulerTellsWhetherThereAreAny) {
  LocalScheduler scheduler(make_policy("fp"));
  const TaskId plain = scheduler.add_task({.id = "a", .period = 10});
  const TaskId limited = scheduler.add_task({.id = "b", .period = 10, .budget = 2});
  scheduler.commit();
  EXPECT_TRUE(scheduler.plan().budgets);
  scheduler.remove_task(limited);
  scheduler.commit();
  EXPECT_FALSE(scheduler.plan().budgets);
  std::vector<Scenario> scenarios(2);
  scenarios[1].timings[plain] = {.budget = 3};
  scheduler.set_scenarios(std::move(scenarios), 0, base_scenario);
  scheduler.commit();
  EXPECT_TRUE(scheduler.plan().budgets);  // a scenario that may become active has one
}

TEST(BudgetsTest, ALoweredJobDoesNotRefreshWhatOthersRead) {
  TaskSet set = greedy(background);
  set.tasks[1].data.inputs = {{.channel = 0, .max_age = 5}};
  set.tasks[0].data.outputs = {0};
  LocalScheduler scheduler = scheduler_of(set, make_policy("fp"));
  const SimulationResult result = simulate(scheduler, set.execution, set.options);
  EXPECT_EQ(text(result.slices), "A0 0-2, B0 2-5, C0 5-9, A0 9-13");
  EXPECT_EQ(scheduler.counters(1).stale_reported, 1u);
}

TEST(BudgetsTest, ARaisedProducerKeepsItsBudget) {
  TaskSet set = task_set({{.execution = 2, .period = 40, .phase = 6, .priority = 30},
                          {.execution = 5, .period = 40, .priority = 10, .budget = 4},
                          {.execution = 9, .period = 40, .phase = 3, .priority = 20}},
                         40);
  set.tasks[0].data.inputs = {{.channel = 0, .max_age = 30}};
  set.tasks[1].data.outputs = {0};
  set.tasks[1].on_budget = background;
  LocalScheduler scheduler = scheduler_of(set, make_policy("fp"));
  const SimulationResult result = simulate(scheduler, set.execution, set.options);
  EXPECT_EQ(text(result.slices), "B0 0-3, C0 3-6, B0 6-7, A0 7-9, C0 9-15, B0 15-16");
}

// ---- set-up

std::string refusal(LocalScheduler & scheduler, const Task & task) {
  try {
    scheduler.add_task(task);
  } catch (const std::invalid_argument & error) {
    return error.what();
  }
  return "";
}

TEST(BudgetsTest, TheBackgroundIsRefusedInASharedExclusiveGroup) {
  LocalScheduler scheduler(make_policy("fp"));
  const GroupId exclusive = scheduler.add_group({.exclusive = true});
  const GroupId reentrant = scheduler.add_group({.exclusive = false});
  const Task lowered = task_of({.period = 10, .group = exclusive, .on_budget = background}, "low");
  const Task other = task_of({.period = 10, .group = exclusive}, "other");
  EXPECT_EQ(refusal(scheduler, lowered), "");
  EXPECT_EQ(refusal(scheduler, other),
            "scheduler: task 'low' may go on in the background, and 'other' of its exclusive group "
            "would wait for it: give it a group of its own, or a reentrant one");
  scheduler.remove_task(0);
  EXPECT_EQ(refusal(scheduler, other), "");
  EXPECT_NE(refusal(scheduler, lowered), "");
  Task free = lowered;
  free.group = reentrant;
  EXPECT_EQ(refusal(scheduler, free), "");
  EXPECT_EQ(refusal(scheduler, free), "");
  // The new parameters count, not the old ones.
  scheduler.change_task(0, lowered);
  EXPECT_NE(refusal(scheduler, other), "");
  scheduler.change_task(0, other);
  EXPECT_EQ(refusal(scheduler, other), "");
  EXPECT_THROW(scheduler.change_task(0, lowered), std::invalid_argument);
  EXPECT_EQ(refusal(scheduler, other), "");
}

TEST(BudgetsTest, OutOfRangeAreRefused) {
  LocalScheduler scheduler(make_policy("fp"));
  EXPECT_EQ(refusal(scheduler, task_of({.period = 10, .budget = 0})),
            "task 'task': budget must be above 0 and at most 2^60 ns (or none), not 0");
  EXPECT_NE(refusal(scheduler, task_of({.period = 10, .budget = (Time{1} << 60) + 1})), "");
}

TEST(BudgetsTest, TasksChangeWhileAJobIsInTheBackground) {
  LocalScheduler scheduler = scheduler_of(greedy(background), make_policy("fp"));
  scheduler.advance(0);
  scheduler.decide(0);
  scheduler.advance(2);
  ASSERT_EQ(scheduler.charge(2, 2).kind, Decision::Kind::lower);
  const TaskId added = scheduler.add_task(task_of({.period = 20, .priority = 50}), 3);
  scheduler.remove_task(2);
  scheduler.commit();
  EXPECT_TRUE(scheduler.lowered(0));
  EXPECT_EQ(scheduler.pending(), 1u);
  scheduler.advance(20);
  EXPECT_EQ(scheduler.counters(0).skipped, 1u);
  EXPECT_EQ(scheduler.decide(20).job->task, added);
  scheduler.finish(scheduler.running(), 21);
  // Its job goes on, and its number is not reused meanwhile.
  scheduler.remove_task(0);
  scheduler.commit();
  EXPECT_THROW(scheduler.task(0), std::invalid_argument);
  EXPECT_TRUE(scheduler.lowered(0));
  EXPECT_EQ(scheduler.add_task(task_of({.period = 20}), 22), 2u);
  scheduler.commit();
  scheduler.finish_lowered(0, 23);
  EXPECT_EQ(scheduler.lowered(), 0u);
  EXPECT_EQ(scheduler.add_task(task_of({.period = 20}), 24), 0u);
}

}  // namespace
}  // namespace takt::model::testing
