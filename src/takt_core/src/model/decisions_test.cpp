// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// Single decisions of the scheduler; schedules_test.cpp has complete schedules.
#include <gtest/gtest.h>

#include "takt_core/model/comparator_policy.hpp"
#include "takt_core/model/urgency_policy.hpp"
#include "testing/virtual_run.hpp"

namespace takt::model::testing {
namespace {

LocalScheduler make(const std::vector<Spec> & specs, std::unique_ptr<Policy> policy,
                    std::vector<Group> groups = {}) {
  return scheduler_of(task_set(specs, 1, std::move(groups)), std::move(policy));
}

/// The task that is started at `now`, or `none`.
TaskId started_at(LocalScheduler & scheduler, Time now) {
  scheduler.advance(now);
  const Decision decision = scheduler.decide(now);
  return decision.kind == Decision::Kind::start ? decision.job->task : none;
}

TEST(DecisionsTest, StackJobsByLevel) {
  LocalScheduler scheduler = make({{.period = 90, .phase = 2, .priority = 3},
                                   {.period = 90, .phase = 1, .priority = 2},
                                   {.period = 90, .priority = 1}},
                                  make_policy("fp"));
  EXPECT_TRUE(scheduler.idle());
  EXPECT_EQ(scheduler.running(), 0u);
  EXPECT_EQ(started_at(scheduler, 0), 2u);
  EXPECT_EQ(started_at(scheduler, 0), none);
  EXPECT_EQ(started_at(scheduler, 1), 1u);
  EXPECT_EQ(started_at(scheduler, 2), 0u);
  EXPECT_EQ(scheduler.running(), 3u);
  EXPECT_EQ(scheduler.started(2)->task, 1u);
  EXPECT_EQ(scheduler.started(4), nullptr);
  scheduler.finish(3, 3);
  EXPECT_EQ(scheduler.running(), 2u);
}

TEST(DecisionsTest, AJobBelowAWaitingOneMayFinishFirst) {
  // The top job blocks outside of the scheduler, so the kernel lets the job below run and finish.
  LocalScheduler scheduler = make({{.period = 90, .phase = 1, .priority = 3},
                                   {.period = 90, .priority = 1, .group = 0},
                                   {.period = 90, .phase = 2, .priority = 2, .group = 0}},
                                  make_policy("fp"), {{.exclusive = true}});
  EXPECT_EQ(started_at(scheduler, 0), 1u);
  EXPECT_EQ(started_at(scheduler, 1), 0u);
  scheduler.finish(1, 2);
  EXPECT_EQ(scheduler.running(), 3u);
  EXPECT_EQ(started_at(scheduler, 2), none);
  scheduler.finish(3, 3);
  EXPECT_EQ(started_at(scheduler, 3), 2u);
}

TEST(DecisionsTest, WhatMayStartIsKnownBeforeItStarts) {
  const auto before = [](const Job &, const Task & a, const Job &, const Task & b) {
    return a.priority > b.priority;
  };
  const auto rank = [](const Task & task) { return task.priority; };
  for (const bool compares : {false, true}) {
    LocalScheduler scheduler =
        make({{.period = 90, .phase = 1, .priority = 1},
              {.period = 90, .priority = 2},
              {.period = 90, .phase = 2, .priority = 3}},
             compares ? std::make_unique<ComparatorPolicy>(before, "comparator", rank)
                      : make_policy("fp"));
    EXPECT_EQ(scheduler.startable(), nullptr);
    EXPECT_EQ(started_at(scheduler, 0), 1u);
    scheduler.advance(1);
    EXPECT_EQ(scheduler.pending(), 1u);
    EXPECT_EQ(scheduler.startable(), nullptr) << "the pending job is less urgent";
    scheduler.advance(2);
    ASSERT_NE(scheduler.startable(), nullptr);
    EXPECT_EQ(scheduler.startable()->task, 2u);
    EXPECT_EQ(started_at(scheduler, 2), 2u);
    EXPECT_EQ(scheduler.startable(), nullptr);
  }
}

TEST(DecisionsTest, AFinishOfNothingHasNoEffect) {
  LocalScheduler scheduler = make({{.period = 90}}, make_policy("fp"));
  EXPECT_FALSE(scheduler.finish(1, 5));
  EXPECT_FALSE(scheduler.finish(9, 5));
}

TEST(DecisionsTest, CeilingsAreTheHighestLevelOfTheGroup) {
  LocalScheduler scheduler = make({{.period = 30, .group = 0},
                                   {.period = 20},
                                   {.period = 10, .group = 0},
                                   {.period = 40, .group = 1}},
                                  make_policy("rm"), {{.exclusive = true}, {.exclusive = true}});
  EXPECT_EQ(scheduler.levels(), 4u);
  EXPECT_EQ(scheduler.level(2), 4u);
  EXPECT_EQ(scheduler.ceiling(0), 4u);
  EXPECT_EQ(scheduler.ceiling(1), 1u);
  EXPECT_EQ(scheduler.plan().merged, 0u);
}

TEST(DecisionsTest, ATasksJobsRunInOrderOfReleaseWhateverThePolicySays) {
  const auto newest_first = [](const Task &, const Job & job, const ApplicationState &) {
    return -job.release;
  };
  const auto rank = [](const Task & task) { return task.priority; };
  LocalScheduler scheduler =
      make({{.period = 10, .queue = 1}, {.period = 90, .phase = 5, .priority = 2}},
           std::make_unique<UrgencyPolicy>("newest", newest_first, rank));
  EXPECT_EQ(started_at(scheduler, 0), 0u);
  EXPECT_EQ(started_at(scheduler, 5), 1u);
  scheduler.finish(2, 9);
  EXPECT_EQ(started_at(scheduler, 10), none);
  scheduler.finish(1, 11);
  EXPECT_EQ(started_at(scheduler, 11), 0u);
}

// ---- holding

TEST(DecisionsTest, APolicyMayDeclineToStartAnything) {
  const auto by_deadline = [](const Task &, const Job & job, const ApplicationState &) {
    return job.deadline;
  };
  const auto hold = [](const Task & task, const Job & job, Time, const ApplicationState &) {
    return task.priority == 1 ? job.release + 30 : Time{0};
  };
  LocalScheduler scheduler =
      make({{.period = 90, .priority = 1}, {.period = 40, .phase = 10, .priority = 2}},
           std::make_unique<UrgencyPolicy>("hold", by_deadline, nullptr, hold));
  scheduler.advance(0);
  const Decision decision = scheduler.decide(0);
  EXPECT_EQ(decision.kind, Decision::Kind::hold);
  EXPECT_EQ(decision.job->task, 0u);
  EXPECT_EQ(decision.until, 30);
  EXPECT_EQ(scheduler.next_event(), 10);
  EXPECT_EQ(started_at(scheduler, 10), 1u);  // more urgent, and the policy does not hold it
  EXPECT_EQ(scheduler.next_event(), 50);
  scheduler.finish(1, 20);
  EXPECT_EQ(started_at(scheduler, 20), none);
  EXPECT_EQ(scheduler.next_event(), 30);
  scheduler.advance(30);
  EXPECT_EQ(scheduler.next_event(), 50);
  EXPECT_EQ(started_at(scheduler, 30), 0u);
}

// ---- the application's state

struct Mode {
  bool docking;
};

TEST(DecisionsTest, ANewStateRanksPendingJobsAnew) {
  const auto by_mode = [](const Task & task, const Job &, const ApplicationState & state) {
    const bool docking = state.get<Mode>() != nullptr && state.get<Mode>()->docking;
    return docking ? task.priority : -task.priority;
  };
  LocalScheduler scheduler = make(
      {{.period = 90, .priority = 1}, {.period = 90, .priority = 2}, {.period = 90, .priority = 3}},
      std::make_unique<UrgencyPolicy>("modes", by_mode));
  EXPECT_EQ(started_at(scheduler, 0), 2u);
  scheduler.finish(1, 1);
  const ApplicationState first = scheduler.set_state(ApplicationState::of(Mode{true}));
  EXPECT_EQ(first.version(), 0u);
  EXPECT_EQ(scheduler.reranked(), 1u);
  EXPECT_EQ(started_at(scheduler, 1), 0u);
  const ApplicationState second = scheduler.set_state(ApplicationState::of(Mode{false}));
  EXPECT_EQ(second.version(), 1u);
  EXPECT_TRUE(second.get<Mode>()->docking);
  EXPECT_EQ(second.get<int>(), nullptr);
}

TEST(DecisionsTest, AStateNobodyUsesRanksNothing) {
  LocalScheduler scheduler = make({{.period = 90}}, make_policy("edf"));
  scheduler.set_state(ApplicationState::of(1));
  EXPECT_EQ(scheduler.reranked(), 0u);
}

// ---- comparators

TEST(DecisionsTest, AComparatorSeesJobsAndTasks) {
  const auto before = [](const Job & a, const Task & task_a, const Job & b, const Task & task_b) {
    return task_a.priority != task_b.priority ? task_a.priority > task_b.priority
                                              : a.release < b.release;
  };
  const TaskSet set = task_set({{.period = 90, .phase = 1, .priority = 5},
                                {.period = 90, .priority = 5},
                                {.execution = 3, .period = 90, .priority = 1},
                                {.period = 90, .phase = 1, .priority = 6}},
                               90);
  EXPECT_EQ(text(run(set, std::make_unique<ComparatorPolicy>(before)).result.slices),
            "B0 0-1, D0 1-2, A0 2-3, C0 3-6");
}

TEST(DecisionsTest, PoliciesNeedTheirFunction) {
  EXPECT_THROW(ComparatorPolicy(nullptr), std::invalid_argument);
  EXPECT_THROW(UrgencyPolicy("empty", nullptr), std::invalid_argument);
}

}  // namespace
}  // namespace takt::model::testing
