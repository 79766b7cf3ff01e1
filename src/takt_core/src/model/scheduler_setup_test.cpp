// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <map>
#include <stdexcept>

#include "testing/virtual_run.hpp"

namespace takt::model::testing {
namespace {

std::string complaint(const std::function<void()> & call) {
  try {
    call();
  } catch (const std::invalid_argument & error) {
    return error.what();
  }
  return "";
}

TEST(SchedulerSetupTest, RefusesWhatItCannotDo) {
  EXPECT_EQ(complaint([] { LocalScheduler(nullptr); }), "scheduler: no policy given");
  EXPECT_EQ(complaint([] { LocalScheduler(make_policy("fp"), 0); }),
            "scheduler: max_levels must be at least 1");
  LocalScheduler scheduler(make_policy("fp"));
  EXPECT_EQ(complaint([&] { scheduler.add_task(task_of({.period = 10, .group = 4}, "a/b")); }),
            "scheduler: task 'a/b': there is no group 4");
  EXPECT_EQ(complaint([&] { scheduler.remove_task(3); }), "scheduler: there is no task 3");
  EXPECT_EQ(complaint([&] { scheduler.remove_group(0); }), "scheduler: there is no group 0");
  EXPECT_EQ(complaint([&] { scheduler.level(0); }), "scheduler: there is no task 0");
  EXPECT_EQ(complaint([&] { scheduler.set_policy(nullptr); }), "scheduler: no policy given");
  const GroupId group = scheduler.add_group({});
  scheduler.add_task(task_of({.period = 10, .group = group}, "a/b"));
  EXPECT_EQ(complaint([&] { scheduler.remove_group(group); }),
            "scheduler: group 0 still has task 'a/b'");
}

TEST(SchedulerSetupTest, WaitsForNoJob) {
  LocalScheduler scheduler =
      scheduler_of(task_set({{.period = 10, .priority = 5}}, 1), make_policy("fp"));
  scheduler.advance(0);
  ASSERT_EQ(scheduler.decide(0).worker, 1u);
  // The started job is moved to the level that its task has now, and a job of a higher level starts
  // at once.
  scheduler.add_task(task_of({.period = 10, .priority = 1}), 1);
  const TaskId above = scheduler.add_task(task_of({.period = 10, .phase = 1, .priority = 9}), 1);
  scheduler.commit();
  ASSERT_EQ(scheduler.moved().size(), 1u);
  EXPECT_EQ(scheduler.moved()[0].from, 1u);
  EXPECT_EQ(scheduler.moved()[0].to, 2u);
  EXPECT_EQ(scheduler.running(), 2u);
  const Decision decision = scheduler.decide(1);
  ASSERT_EQ(decision.kind, Decision::Kind::start);
  EXPECT_EQ(decision.job->task, above);
  EXPECT_EQ(decision.worker, 3u);
  EXPECT_FALSE(scheduler.finish(3, 2));
  EXPECT_FALSE(scheduler.finish(2, 3));
  EXPECT_TRUE(scheduler.idle());
}

TEST(SchedulerSetupTest, WhatIsRemovedWhileItRunsKeepsItsLevelUntilItEnds) {
  LocalScheduler scheduler = scheduler_of(task_set({{.period = 90, .priority = 1},
                                                    {.period = 90, .phase = 1, .priority = 2},
                                                    {.period = 90, .phase = 2, .priority = 3}},
                                                   1),
                                          make_policy("fp"));
  for (Time now = 0; now < 2; ++now) {
    scheduler.advance(now);
    ASSERT_EQ(scheduler.decide(now).kind, Decision::Kind::start);
  }
  scheduler.remove_task(1);
  scheduler.commit();
  EXPECT_THROW(scheduler.task(1), std::invalid_argument);
  EXPECT_EQ(scheduler.levels(), 3u);
  EXPECT_TRUE(scheduler.moved().empty());
  scheduler.advance(2);
  EXPECT_EQ(scheduler.decide(2).worker, 3u);
  scheduler.finish(3, 3);
  EXPECT_FALSE(scheduler.finish(2, 4));
  EXPECT_FALSE(scheduler.busy(1));
  scheduler.commit();
  EXPECT_EQ(scheduler.levels(), 2u);
  EXPECT_EQ(scheduler.running(), 1u);
  scheduler.advance(91);
  EXPECT_EQ(scheduler.decide(91).kind, Decision::Kind::nothing);
}

TEST(SchedulerSetupTest, NumbersAreUsedAgain) {
  LocalScheduler scheduler(make_policy("fp"));
  EXPECT_EQ(scheduler.add_group({}), 0u);
  EXPECT_EQ(scheduler.add_group({}), 1u);
  scheduler.remove_group(0);
  EXPECT_EQ(scheduler.add_group({}), 0u);
  EXPECT_EQ(scheduler.add_task(task_of({.period = 1})), 0u);
  EXPECT_EQ(scheduler.add_task(task_of({.period = 2})), 1u);
  scheduler.remove_task(0);
  EXPECT_THROW(scheduler.setup().task(0), std::invalid_argument);
  EXPECT_EQ(scheduler.setup().task(1).period, 2);
  EXPECT_EQ(scheduler.add_task(task_of({.period = 3})), 0u);
  scheduler.commit();
  EXPECT_EQ(scheduler.task(0).period, 3);
}

TEST(SchedulerSetupTest, ANewTimerJoinsTheGrid) {
  LocalScheduler scheduler = scheduler_of(task_set({{.period = 10}}, 1), make_policy("rm"));
  scheduler.advance(33);
  const TaskId same = scheduler.add_task(task_of({.period = 10, .phase = 3}), 33);
  const TaskId later = scheduler.add_task(task_of({.period = 10, .phase = 2}), 33);
  const TaskId future = scheduler.add_task(task_of({.period = 10, .phase = 95}), 33);
  scheduler.commit();
  EXPECT_EQ(scheduler.pending(), 2u);
  EXPECT_EQ(scheduler.next_event(), 40);
  scheduler.advance(100);
  // The first releases are at 33, 42 and 95.
  std::vector<Job> first(4);
  for (int i = 0; i < 4; ++i) {
    const Decision decision = scheduler.decide(100);
    first[decision.job->task] = *decision.job;
    scheduler.finish(scheduler.running(), 100);
  }
  EXPECT_EQ(first[same].release, 33);
  EXPECT_EQ(first[same].index, 3u);
  EXPECT_EQ(first[later].release, 42);
  EXPECT_EQ(first[later].index, 4u);
  EXPECT_EQ(first[future].release, 95);
  EXPECT_EQ(first[future].index, 0u);
}

TEST(SchedulerSetupTest, PendingJobsOfOthersAreKept) {
  LocalScheduler scheduler = scheduler_of(
      task_set({{.period = 10, .queue = 2}, {.period = 10}, {.period = 40, .deadline = 5}}, 1),
      make_policy("rm"));
  scheduler.advance(10);
  EXPECT_EQ(scheduler.pending(), 4u);
  Miss miss;
  scheduler.remove_task(1);
  const TaskId added = scheduler.add_task(task_of({.period = 5, .queue = 7}), 11);
  scheduler.commit();
  EXPECT_EQ(added, 1u);
  EXPECT_EQ(scheduler.pending(), 3u);
  ASSERT_TRUE(scheduler.next_miss(miss));  // the miss of task 0 at 10 was noticed first, by its
                                           // release
  EXPECT_EQ(miss.job.task, 0u);
  ASSERT_TRUE(scheduler.next_miss(miss));
  EXPECT_EQ(miss.job.task, 2u);
  EXPECT_FALSE(scheduler.next_miss(miss));  // the miss of the removed task is dropped
  scheduler.advance(12);
  std::vector<std::pair<TaskId, std::uint64_t>> order;
  for (Decision next = scheduler.decide(12); next.kind == Decision::Kind::start;
       next = scheduler.decide(12)) {
    const Job job = *next.job;
    order.emplace_back(job.task, job.index);
    EXPECT_EQ(scheduler.finish(job.level, 12), job.task == 2 || job.index == 0);
  }
  EXPECT_EQ(order, (std::vector<std::pair<TaskId, std::uint64_t>>{{0, 0}, {0, 1}, {2, 0}}));
  scheduler.advance(20);
  EXPECT_EQ(scheduler.decide(20).job->task, added);
}

TEST(SchedulerSetupTest, PendingJobsGetTheirNewLevelAndKeepTheirDeadline) {
  LocalScheduler scheduler =
      scheduler_of(task_set({{.period = 100, .deadline = 50}}, 1), make_policy("rm"));
  scheduler.advance(0);
  scheduler.add_task(task_of({.period = 1000, .phase = 500}));
  scheduler.add_task(task_of({.period = 2000, .phase = 500}));
  scheduler.commit();
  EXPECT_EQ(scheduler.next_event(), 50);
  EXPECT_EQ(scheduler.decide(0).job->level, 3u);
  EXPECT_EQ(scheduler.running(), scheduler.level(0));
}

TEST(SchedulerSetupTest, DelayedReleasesAreKept) {
  TaskSet set = task_set({{.period = 10, .queue = 2, .kind = TaskKind::subscription}}, 1);
  LocalScheduler scheduler = scheduler_of(set, make_policy("rm"));
  for (Time at = 0; at < 3; ++at) scheduler.release(0, at, at);
  scheduler.add_task(task_of({.period = 1000, .phase = 500}));
  scheduler.commit();
  EXPECT_EQ(scheduler.next_event(), 10);
  scheduler.advance(25);
  EXPECT_EQ(scheduler.counters(0).released, 3u);
}

TEST(SchedulerSetupTest, ExchangingThePolicyRanksPendingJobsAnew) {
  LocalScheduler scheduler =
      scheduler_of(task_set({{.period = 10, .priority = 1}, {.period = 20, .priority = 2}}, 1),
                   make_policy("rm"));
  scheduler.advance(0);
  scheduler.set_policy(make_policy("np-fp"));
  scheduler.commit();
  EXPECT_EQ(scheduler.levels(), 1u);
  EXPECT_EQ(scheduler.policy().name(), "np-fp");
  const Decision decision = scheduler.decide(0);
  EXPECT_EQ(decision.job->task, 1u);
  EXPECT_EQ(decision.job->level, 1u);
}

TEST(SchedulerSetupTest, AGridMayBeBegunAnew) {
  LocalScheduler scheduler = scheduler_of(task_set({{.period = 10}}, 1), make_policy("rm"));
  scheduler.advance(35);
  const Decision decision = scheduler.decide(35);
  scheduler.finish(decision.job->level, 36);
  scheduler.start_grid(1000);
  scheduler.commit();
  EXPECT_EQ(scheduler.grid(), 1000);
  EXPECT_EQ(scheduler.next_event(), 1000);
  scheduler.advance(1000);
  EXPECT_EQ(scheduler.decide(1000).job->index, 0u);
  EXPECT_TRUE(scheduler.finish(1, 1011));
}

TEST(SchedulerSetupTest, KnowsWhichParametersItsScenariosGiveThePresentTasks) {
  model::Setup setup(make_policy("rm"));
  const TaskId stays = setup.add_task(task_of({.period = 10}, "stays"));
  const TaskId goes = setup.add_task(task_of({.period = 10}, "goes"));
  EXPECT_TRUE(setup.has_timings({}));
  EXPECT_FALSE(setup.has_timings({{}})) << "an empty scenario is one, too";
  const std::map<TaskId, Timing> given = {{stays, {.period = 5}}, {goes, {.suspended = true}}};
  setup.set_scenarios({{nullptr, given}});
  EXPECT_TRUE(setup.has_timings({given}));
  EXPECT_FALSE(setup.has_timings({{{stays, {.period = 5, .priority = 1}}, *given.rbegin()}}));
  // The second task's job is still started, so its number is not free yet.
  setup.remove_task(goes, true);
  EXPECT_TRUE(setup.has_timings({{{stays, {.period = 5}}}}));
  EXPECT_TRUE(setup.has_timings({given}));
  EXPECT_FALSE(setup.has_timings({{}}));
  setup.forget(goes);
  EXPECT_TRUE(setup.has_timings({{{stays, {.period = 5}}}}));
}

TEST(SchedulerSetupTest, MergedLevelsAreReported) {
  LocalScheduler scheduler(make_policy("rm"), 4);
  for (Duration period = 1; period <= 10; ++period) scheduler.add_task(task_of({.period = period}));
  scheduler.commit();
  EXPECT_EQ(scheduler.levels(), 4u);
  EXPECT_EQ(scheduler.plan().merged, 6u);
}

TEST(SchedulerSetupTest, AnEmptySchedulerHasNothingToDo) {
  LocalScheduler scheduler(make_policy("rm"));
  scheduler.start_grid(0);
  scheduler.commit();
  scheduler.advance(1000);
  EXPECT_EQ(scheduler.decide(1000).kind, Decision::Kind::nothing);
  EXPECT_EQ(scheduler.next_event(), never);
  EXPECT_EQ(scheduler.levels(), 1u);
}

TEST(SchedulerSetupTest, ASchedulerCanBeMoved) {
  LocalScheduler first = scheduler_of(task_set({{.period = 10}}, 1), make_policy("rm"));
  first.advance(0);
  LocalScheduler second(make_policy("fp"));
  second = std::move(first);
  EXPECT_EQ(second.pending(), 1u);
}

}  // namespace
}  // namespace takt::model::testing
