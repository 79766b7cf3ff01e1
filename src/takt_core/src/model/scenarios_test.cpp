// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <random>
#include <stdexcept>

#include "testing/job_rules.hpp"
#include "testing/random_seed.hpp"
#include "testing/random_task_set.hpp"
#include "testing/virtual_run.hpp"

namespace takt::model {
namespace {

using testing::task_set;
using testing::TaskSet;

/// A scheduler of the task set with one scenario besides the base, number 1.
LocalScheduler scheduler_with(const TaskSet & set, const std::string & policy, Scenario scenario) {
  LocalScheduler scheduler = testing::scheduler_of(set, make_policy(policy));
  std::vector<Scenario> scenarios;
  scenarios.push_back(std::move(scenario));
  scheduler.set_scenarios(std::move(scenarios), -1);
  scheduler.commit();
  return scheduler;
}

Scenario timings(std::map<TaskId, Timing> timings, const char * policy = nullptr) {
  return {policy != nullptr ? make_policy(policy) : nullptr, std::move(timings)};
}

std::string schedule(TaskSet set, const std::string & policy, Scenario scenario,
                     std::vector<Switch> switches) {
  LocalScheduler scheduler = scheduler_with(set, policy, std::move(scenario));
  set.options.switches = std::move(switches);
  return testing::text(simulate(scheduler, set.execution, set.options).slices);
}

TEST(ScenariosTest, ATimersFirstReleaseIsTheFirstPointOfItsNewGridAfterTheSwitch) {
  const TaskSet set = task_set({{.execution = 1, .period = 10}}, 40);
  EXPECT_EQ(schedule(set, "rm", timings({{0, {.period = 7}}}), {{12, 1}}),
            "A0 0-1, A1 10-11, A2 14-15, A3 21-22, A4 28-29, A5 35-36");
  EXPECT_EQ(schedule(set, "rm", timings({{0, {.phase = 5}}}), {{12, 1}}),
            "A0 0-1, A1 10-11, A2 15-16, A3 25-26, A4 35-36");
}

TEST(ScenariosTest, ASwitchAtARelaseLeavesItAndMakesNoneTwice) {
  const TaskSet set = task_set({{.execution = 1, .period = 10}}, 40);
  EXPECT_EQ(schedule(set, "rm", timings({{0, {.period = 5}}}), {{10, 1}}),
            "A0 0-1, A1 10-11, A2 15-16, A3 20-21, A4 25-26, A5 30-31, A6 35-36");
  EXPECT_EQ(schedule(set, "rm", timings({}), {{10, 1}, {20, 0}}),
            "A0 0-1, A1 10-11, A2 20-21, A3 30-31");
}

TEST(ScenariosTest, StartedJobsFinishAsTheyWereAndPendingOnesAreRankedAnew) {
  const TaskSet set = task_set({{.execution = 6, .period = 40, .priority = 30},
                                {.execution = 2, .period = 40, .priority = 20},
                                {.execution = 2, .period = 40, .priority = 10}},
                               40);
  EXPECT_EQ(schedule(set, "np-fp", timings({}), {}), "A0 0-6, B0 6-8, C0 8-10");
  EXPECT_EQ(schedule(set, "np-fp", timings({{2, {.priority = 90}}}), {{3, 1}}),
            "A0 0-6, C0 6-8, B0 8-10");
  // The started job keeps its level, which is the highest.
  EXPECT_EQ(schedule(set, "fp", timings({{2, {.priority = 90}}}), {{3, 1}}),
            "A0 0-6, C0 6-8, B0 8-10");
  // A job with a higher level in the scenario preempts one that was started before.
  EXPECT_EQ(
      schedule(set, "fp", timings({{0, {.priority = 1}}, {2, {.priority = 90}}}, "fp"), {{7, 1}}),
      "A0 0-6, B0 6-7, C0 7-9, B0 9-10");
}

TEST(ScenariosTest, APolicyComesWithItsScenario) {
  const TaskSet set = task_set({{.execution = 2, .period = 40, .deadline = 30, .priority = 9},
                                {.execution = 2, .period = 20, .deadline = 10, .priority = 1}},
                               40);
  EXPECT_EQ(schedule(set, "np-fp", timings({}, "np-edf"), {}), "A0 0-2, B0 2-4, B1 20-22");
  EXPECT_EQ(schedule(set, "np-fp", timings({}, "np-edf"), {{0, 1}}), "B0 0-2, A0 2-4, B1 20-22");
}

TEST(ScenariosTest, ThePolicyNowIsThatOfTheActiveScenario) {
  const TaskSet set = task_set({{.period = 40}}, 40);
  LocalScheduler scheduler = scheduler_with(set, "fp", timings({}, "edf"));
  EXPECT_EQ(scheduler.policy_now().name(), "fp");
  scheduler.set_scenario(1, 0);
  EXPECT_EQ(scheduler.policy_now().name(), "edf");
  EXPECT_EQ(scheduler.policy().name(), "fp");
}

TEST(ScenariosTest, PendingJobsKeepTheirReleaseAndGetTheNewDeadline) {
  const TaskSet set =
      task_set({{.execution = 8, .period = 40}, {.execution = 1, .period = 40}}, 40);
  LocalScheduler scheduler = scheduler_with(set, "np-rm", timings({{1, {.deadline = 5}}}));
  scheduler.advance(0);
  ASSERT_EQ(scheduler.decide(0).job->task, 0u);
  scheduler.set_scenario(1, 2);
  scheduler.advance(6);
  Miss miss;
  ASSERT_TRUE(scheduler.next_miss(miss));
  EXPECT_EQ(miss.job.task, 1u);
  EXPECT_EQ(miss.job.release, 0);
  EXPECT_EQ(miss.job.deadline, 5);
  EXPECT_TRUE(miss.transition);
  EXPECT_FALSE(scheduler.finish(1, 8));
  EXPECT_EQ(scheduler.decide(8).job->deadline, 5);
  EXPECT_TRUE(scheduler.finish(1, 9));
  EXPECT_EQ(scheduler.counters(1).transition_misses, 1u);
}

TEST(ScenariosTest, AMissAfterTheTransitionIsAnOrdinaryOne) {
  const TaskSet set =
      task_set({{.execution = 8, .period = 10}, {.execution = 3, .period = 10}}, 40);
  LocalScheduler scheduler = scheduler_with(set, "np-rm", timings({{1, {.deadline = 5}}}));
  TaskSet with = set;
  with.options.switches = {{15, 1}};
  const SimulationResult result = simulate(scheduler, set.execution, with.options);
  ASSERT_FALSE(result.misses.empty());
  bool after = false;
  for (const Miss & miss : result.misses) {
    if (miss.transition) {
      EXPECT_FALSE(after);
    }
    after = after || (!miss.transition && miss.noticed > 20);
  }
  EXPECT_TRUE(after);
}

TEST(ScenariosTest, SuspendedTimersHaveNoReleasesAndOthersWait) {
  TaskSet set = task_set(
      {{.execution = 1, .period = 10}, {.execution = 1, .kind = TaskKind::subscription}}, 50);
  set.options.arrivals = {{3, 1}, {15, 1}, {16, 1}, {45, 1}};
  EXPECT_EQ(schedule(set, "np-fp", timings({{0, {.suspended = true}}, {1, {.suspended = true}}}),
                     {{12, 1}, {34, 0}}),
            "A0 0-1, B0 3-4, A1 10-11, B1 34-35, A2 40-41, B2 45-46");
}

TEST(ScenariosTest, CeilingsDuringTheChangeAreTheHigherOfOldAndNew) {
  // B shares A's group. In the scenario B is more urgent than C, whose level was above the group's
  // ceiling.
  const TaskSet set =
      task_set({{.execution = 9, .period = 100, .priority = 10, .group = 0},
                {.execution = 2, .period = 100, .phase = 4, .priority = 20, .group = 0},
                {.execution = 2, .period = 100, .phase = 5, .priority = 30}},
               50, {{.exclusive = true}});
  EXPECT_EQ(schedule(set, "fp", timings({}), {}), "A0 0-5, C0 5-7, A0 7-11, B0 11-13");
  // B would have the highest level at once, but A, which was started before, holds its group.
  EXPECT_EQ(schedule(set, "fp", timings({{1, {.priority = 90}}}), {{3, 1}}),
            "A0 0-9, B0 9-11, C0 11-13");
}

TEST(ScenariosTest, ADelayedReleaseIsMadeWhenItWasDue) {
  TaskSet set = task_set({{.execution = 1, .period = 10, .kind = TaskKind::subscription}}, 60);
  set.options.arrivals = {{0, 0}, {2, 0}, {14, 0}, {16, 0}};
  EXPECT_EQ(schedule(set, "np-fp", timings({{0, {.period = 20}}}), {{5, 1}}),
            "A0 0-1, A1 10-11, A3 30-31");
}

TEST(ScenariosTest, WhatCannotBeIsRefused) {
  const TaskSet set = task_set({{.execution = 1, .period = 10}}, 50);
  LocalScheduler scheduler = testing::scheduler_of(set, make_policy("rm"));
  const auto give = [&scheduler](Scenario scenario) {
    std::vector<Scenario> scenarios;
    scenarios.push_back(std::move(scenario));
    scheduler.set_scenarios(std::move(scenarios), -1);
  };
  EXPECT_THROW(give(timings({{7, {}}})), std::invalid_argument);
  EXPECT_THROW(give(timings({{0, {.period = -1}}})), std::invalid_argument);
  EXPECT_THROW(give(timings({{0, {.deadline = 11}}})), std::invalid_argument);
  give(timings({}));
  scheduler.commit();
  scheduler.set_scenario(1, 0);
  scheduler.set_scenario(2, 0);
  EXPECT_EQ(scheduler.scenario(), 1u);
}

TEST(ScenariosTest, TheNumberThatHoldsGoesOnToHoldWithItsNewContent) {
  const TaskSet set = task_set({{.execution = 1, .period = 10}}, 50);
  LocalScheduler scheduler = scheduler_with(set, "rm", timings({{0, {.period = 7}}}));
  scheduler.set_scenario(1, 0);
  EXPECT_EQ(scheduler.next_event(), 7);
  std::vector<Scenario> scenarios;
  scenarios.push_back(timings({{0, {.period = 5}}}));
  scheduler.set_scenarios(std::move(scenarios), 3);
  scheduler.commit();
  EXPECT_EQ(scheduler.scenario(), 1u);
  EXPECT_EQ(scheduler.next_event(), 5);
  scheduler.set_scenarios({}, 8);
  scheduler.commit();
  EXPECT_EQ(scheduler.scenario(), base_scenario);
  EXPECT_EQ(scheduler.next_event(), 10);
}

TEST(ScenariosTest, ATaskThatGoesIsForgottenByScenarios) {
  const TaskSet set =
      task_set({{.execution = 1, .period = 10}, {.execution = 1, .period = 10}}, 50);
  LocalScheduler scheduler = scheduler_with(set, "rm", timings({{1, {.period = 5}}}));
  scheduler.remove_task(1);
  Task other = testing::task_of({.period = 20});
  EXPECT_EQ(scheduler.add_task(other), 1u);
  scheduler.commit();
  scheduler.set_scenario(1, 0);
  EXPECT_EQ(scheduler.next_event(), 10);
}

/// Invariants under random switches: exclusion, one job of a task at a time, every release is on a
/// grid and counted, levels rise.
TEST(ScenariosTest, RandomSwitchesKeepTheInvariants) {
  const std::uint64_t seed = testing::random_seed();
  for (std::uint64_t round = 0; round < 300; ++round) {
    TaskSet set = testing::RandomTaskSet(seed + round).make();
    std::mt19937_64 random(seed + round);
    LocalScheduler scheduler = testing::scheduler_of(set, make_policy("fp"));
    const auto pick = [&random](auto... from) {
      const std::array choices{from...};
      return choices[random() % choices.size()];
    };
    std::vector<Scenario> scenarios;
    for (int i = 0; i < 3; ++i) {
      Scenario scenario{make_policy(pick("fp", "edf", "rm", "np-edf", "fifo", "ros")), {}};
      for (TaskId id = 0; id < set.tasks.size(); ++id) {
        if (random() % 2 == 0) continue;
        Timing timing;
        timing.priority = static_cast<int>(random() % 98 + 1);
        timing.suspended = random() % 8 == 0;
        if (set.tasks[id].kind == TaskKind::timer && random() % 2 == 0) {
          timing.period = static_cast<Duration>(random() % 50 + 5);
          timing.deadline = timing.period;
          timing.phase = static_cast<Duration>(random() % 30);
        }
        scenario.timings[id] = timing;
      }
      scenarios.push_back(std::move(scenario));
    }
    scheduler.set_scenarios(std::move(scenarios), -1);
    scheduler.commit();
    for (Time at = 0; at < set.options.end; at += static_cast<Time>(random() % 80 + 1)) {
      set.options.switches.push_back({at, static_cast<ScenarioId>(random() % 4)});
    }
    const SimulationResult result = simulate(scheduler, set.execution, set.options);
    ASSERT_EQ(testing::broken_job_rule(set, result), "") << "TAKT_SEED=" << seed + round;
    std::map<TaskId, TaskCounters> seen;
    for (const SimulatedJob & job : result.jobs) {
      seen[job.job.task].started += job.start != never ? 1 : 0;
    }
    for (TaskId id = 0; id < set.tasks.size(); ++id) {
      const TaskCounters counters = scheduler.counters(id);
      ASSERT_EQ(counters.started, seen[id].started) << "TAKT_SEED=" << seed + round;
      ASSERT_LE(counters.finished, counters.started);
      ASSERT_GE(counters.released, counters.started + counters.skipped);
      ASSERT_LE(counters.transition_misses, counters.missed);
    }
  }
}

}  // namespace
}  // namespace takt::model
