// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
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

constexpr ChannelId scan = 0;

std::string slices(const TaskSet & set, const std::string & policy) {
  LocalScheduler scheduler = testing::scheduler_of(set, make_policy(policy));
  return testing::text(simulate(scheduler, set.execution, set.options).slices);
}

/// R reads every 20, P publishes every 40, the priority of M is in between.
TaskSet reader_and_producer(Duration max_age) {
  TaskSet set = task_set({{.execution = 2, .period = 20, .priority = 30},
                          {.execution = 4, .period = 40, .priority = 10},
                          {.execution = 3, .period = 40, .priority = 20}},
                         40);
  set.tasks[0].data.inputs = {{.channel = scan, .max_age = max_age}};
  set.tasks[1].data.outputs = {scan};
  return set;
}

TEST(DataAgeTest, APendingProducerGoesBeforeItsReader) {
  EXPECT_EQ(slices(reader_and_producer(never), "fp"), "A0 0-2, C0 2-5, B0 5-9, A1 20-22");
  EXPECT_EQ(slices(reader_and_producer(30), "fp"), "B0 0-4, A0 4-6, C0 6-9, A1 20-22");
  EXPECT_EQ(slices(reader_and_producer(30), "np-fp"), "B0 0-4, A0 4-6, C0 6-9, A1 20-22");
}

TEST(DataAgeTest, AStartedProducerIsRaisedAboveWhatPreemptedIt) {
  TaskSet set = task_set({{.execution = 2, .period = 40, .phase = 6, .priority = 30},
                          {.execution = 5, .period = 40, .priority = 10},
                          {.execution = 9, .period = 40, .phase = 3, .priority = 20}},
                         40);
  EXPECT_EQ(slices(set, "fp"), "B0 0-3, C0 3-6, A0 6-8, C0 8-14, B0 14-16");
  set.tasks[0].data.inputs = {{.channel = scan, .max_age = 30}};
  set.tasks[1].data.outputs = {scan};
  EXPECT_EQ(slices(set, "fp"), "B0 0-3, C0 3-6, B0 6-8, A0 8-10, C0 10-16");
}

TEST(DataAgeTest, AnExtraJobIsReleasedWhereThatIsAllowed) {
  TaskSet set = reader_and_producer(15);
  set.tasks[1].data.extra_releases = true;
  LocalScheduler scheduler = testing::scheduler_of(set, make_policy("fp"));
  const SimulationResult result = simulate(scheduler, set.execution, set.options);
  EXPECT_EQ(testing::text(result.slices), "B0 0-4, A0 4-6, C0 6-9, B+0 20-24, A1 24-26");
  EXPECT_EQ(scheduler.counters(0).refreshed, 2u);
  EXPECT_EQ(scheduler.counters(1).extra_releases, 1u);
  EXPECT_EQ(scheduler.counters(1).released, 2u);
  EXPECT_EQ(result.jobs[4].job.release, 20);
  // The grid and its indices are unchanged.
  EXPECT_EQ(result.jobs[4].job.index, first_extra_job);
  EXPECT_EQ(scheduler.next_event(), 40);
  scheduler.advance(40);
  EXPECT_EQ(scheduler.decide(40).job->index, 1u);
}

TEST(DataAgeTest, WhatCannotBeRefreshedRunsAndIsTold) {
  LocalScheduler scheduler = testing::scheduler_of(reader_and_producer(15), make_policy("fp"));
  scheduler.advance(0);
  EXPECT_EQ(scheduler.decide(0).job->task, 1u);
  scheduler.published(scan, 4);
  scheduler.finish(3, 4);
  Decision decision = scheduler.decide(4);
  EXPECT_EQ(decision.job->task, 0u);
  EXPECT_FALSE(decision.stale);
  scheduler.finish(3, 6);
  scheduler.decide(6);
  scheduler.finish(2, 9);
  scheduler.advance(20);
  decision = scheduler.decide(20);
  EXPECT_EQ(decision.job->task, 0u);
  EXPECT_TRUE(decision.stale);
  EXPECT_EQ(scheduler.counters(0).stale_reported, 1u);
}

TEST(DataAgeTest, OrDoesNotRun) {
  TaskSet set = reader_and_producer(15);
  set.tasks[0].data.inputs[0].on_stale = OnStale::skip;
  LocalScheduler scheduler = testing::scheduler_of(set, make_policy("fp"));
  const SimulationResult result = simulate(scheduler, set.execution, set.options);
  EXPECT_EQ(testing::text(result.slices), "B0 0-4, A0 4-6, C0 6-9");
  EXPECT_EQ(scheduler.counters(0).stale_skipped, 1u);
  EXPECT_EQ(scheduler.counters(0).skipped, 1u);
  EXPECT_EQ(scheduler.counters(0).missed, 0u);
  EXPECT_TRUE(result.jobs[3].skipped);
}

TEST(DataAgeTest, IsRefreshedOnceForEachJob) {
  // The data is too old as soon as the producer has finished.
  TaskSet set = reader_and_producer(30);
  LocalScheduler scheduler = testing::scheduler_of(set, make_policy("fp"));
  scheduler.advance(0);
  EXPECT_EQ(scheduler.decide(0).job->task, 1u);
  scheduler.finish(3, 4);  // without having published
  const Decision decision = scheduler.decide(4);
  EXPECT_EQ(decision.job->task, 0u);
  EXPECT_TRUE(decision.stale);
}

TEST(DataAgeTest, TheMarginCounts) {
  LocalScheduler scheduler = testing::scheduler_of(reader_and_producer(15), make_policy("fp"));
  scheduler.set_age_margin(2);
  scheduler.published(scan, 6);
  scheduler.advance(19);
  for (Decision next = scheduler.decide(19); next.kind == Decision::Kind::start;
       next = scheduler.decide(19)) {
    scheduler.finish(next.worker, 19);
  }
  scheduler.advance(20);
  EXPECT_TRUE(scheduler.decide(20).stale);  // 20 + 2 - 6 > 15
  Scheduler without = testing::scheduler_of(reader_and_producer(15), make_policy("fp"));
  without.published(scan, 6);
  without.advance(20);
  EXPECT_FALSE(without.decide(20).stale);
}

TEST(DataAgeTest, WhatKeepsTheProducersGroupBusyIsRaisedFirst) {
  // D shares the producer's group and is preempted by C when the reader is released.
  TaskSet set = task_set({{.execution = 2, .period = 40, .phase = 6, .priority = 40},
                          {.execution = 3, .period = 40, .phase = 1, .priority = 10, .group = 0},
                          {.execution = 9, .period = 40, .phase = 3, .priority = 30},
                          {.execution = 5, .period = 40, .priority = 20, .group = 0}},
                         40, {{.exclusive = true}});
  set.tasks[0].data.inputs = {{.channel = scan, .max_age = 30}};
  set.tasks[1].data.outputs = {scan};
  EXPECT_EQ(slices(set, "fp"), "D0 0-3, C0 3-6, D0 6-8, B0 8-11, A0 11-13, C0 13-19");
}

TEST(DataAgeTest, ProducersAreReadersToo) {
  TaskSet set = task_set({{.execution = 1, .period = 40, .priority = 30},
                          {.execution = 2, .period = 40, .priority = 20},
                          {.execution = 3, .period = 40, .priority = 10}},
                         40);
  set.tasks[0].data.inputs = {{.channel = 0, .max_age = 30}};
  set.tasks[1].data.outputs = {0};
  set.tasks[1].data.inputs = {{.channel = 1, .max_age = 30}};
  set.tasks[2].data.outputs = {1};
  EXPECT_EQ(slices(set, "fp"), "C0 0-3, B0 3-5, A0 5-6");
}

TEST(DataAgeTest, BelongsToAScenario) {
  TaskSet set = reader_and_producer(never);
  LocalScheduler scheduler = testing::scheduler_of(set, make_policy("fp"));
  std::vector<Scenario> scenarios;
  scenarios.push_back({nullptr, {{0, {.max_age = {{scan, 30}}}}}});
  scheduler.set_scenarios(std::move(scenarios), -1);
  scheduler.commit();
  set.options.end = 120;
  set.options.switches = {{30, 1}, {70, 0}};
  EXPECT_EQ(testing::text(simulate(scheduler, set.execution, set.options).slices),
            "A0 0-2, C0 2-5, B0 5-9, A1 20-22, B1 40-44, A2 44-46, C1 46-49, A3 60-62, "
            "A4 80-82, C2 82-85, B2 85-89, A5 100-102");
}

TEST(DataAgeTest, AScenarioSaysWhatBecomesOfOldDataAndWhoIsReleasedOnceMore) {
  TaskSet set = reader_and_producer(15);
  LocalScheduler scheduler = testing::scheduler_of(set, make_policy("fp"));
  std::vector<Scenario> scenarios(2);
  scenarios[0].timings[0].on_stale = OnStale::skip;
  scenarios[1].timings[1].extra_releases = true;
  scheduler.set_scenarios(std::move(scenarios), -1);
  scheduler.commit();
  set.options.end = 120;
  set.options.switches = {{30, 1}, {70, 2}};
  // A1 runs on old data, A3 is skipped, B gets an extra job for A5.
  EXPECT_EQ(testing::text(simulate(scheduler, set.execution, set.options).slices),
            "B0 0-4, A0 4-6, C0 6-9, A1 20-22, B1 40-44, A2 44-46, C1 46-49, "
            "B2 80-84, A4 84-86, C2 86-89, B+0 100-104, A5 104-106");
  EXPECT_EQ(scheduler.counters(0).stale_reported, 1u);
  EXPECT_EQ(scheduler.counters(0).stale_skipped, 1u);
  EXPECT_EQ(scheduler.counters(1).extra_releases, 1u);
}

TEST(DataAgeTest, WhatCannotBeIsRefused) {
  LocalScheduler scheduler(make_policy("fp"));
  Task task = testing::task_of({.period = 10});
  task.data.inputs = {{.channel = scan, .max_age = 0}};
  EXPECT_THROW(scheduler.add_task(task), std::invalid_argument);
  task.data.inputs = {{.channel = scan, .max_age = 5}};
  task.data.outputs = {scan};
  EXPECT_THROW(scheduler.add_task(task), std::invalid_argument);
  task.data.outputs = {};
  scheduler.add_task(task);
  EXPECT_THROW(scheduler.set_data_flow({{7, {}}}), std::invalid_argument);
  EXPECT_THROW(scheduler.set_data_flow({{0, {.inputs = {{.max_age = 0}}}}}), std::invalid_argument);
  EXPECT_THROW(scheduler.set_age_margin(-1), std::invalid_argument);
}

TEST(DataAgeTest, WhatTasksReadAndPublishMayChange) {
  TaskSet set = reader_and_producer(30);
  const DataFlow reads = set.tasks[0].data;
  const DataFlow publishes = set.tasks[1].data;
  set.tasks[0].data = set.tasks[1].data = {};
  LocalScheduler scheduler = testing::scheduler_of(set, make_policy("fp"));
  scheduler.advance(0);
  scheduler.set_data_flow({{0, reads}, {1, publishes}});
  scheduler.commit();
  // Pending jobs stay.
  EXPECT_EQ(scheduler.pending(), 3u);
  EXPECT_EQ(scheduler.decide(0).job->task, 1u);
  scheduler.finish(3, 4);
  EXPECT_EQ(scheduler.decide(4).job->task, 0u);
  scheduler.finish(3, 6);
  scheduler.set_data_flow({});
  scheduler.commit();
  scheduler.published(scan, 6);
  EXPECT_EQ(reads.inputs[0].newest, nullptr)
      << "set_data_flow() must not change the caller's data flow";
}

TEST(DataAgeTest, ACircleIsRefusedInEveryScenario) {
  LocalScheduler scheduler(make_policy("fp"));
  Task task = testing::task_of({.period = 10});
  task.data = {.inputs = {{.channel = 0}}, .outputs = {1}};
  scheduler.add_task(task);
  std::vector<Scenario> scenarios;
  scenarios.push_back({nullptr, {{0, {.max_age = {{0, 5}}}}}});
  scheduler.set_scenarios(std::move(scenarios), 0);
  task.data = {.inputs = {{.channel = 1, .max_age = 5}}, .outputs = {0}};
  EXPECT_THROW(scheduler.add_task(task), std::invalid_argument);
  task.data.inputs[0].max_age = never;
  EXPECT_EQ(scheduler.add_task(task), 1u);
}

TEST(DataAgeTest, AJobIsToldWhatItWasStartedWith) {
  TaskSet set = reader_and_producer(15);
  set.tasks[0].data.inputs.push_back({.channel = 1, .max_age = 100});
  LocalScheduler scheduler = testing::scheduler_of(set, make_policy("fp"));
  scheduler.published(1, -30);
  scheduler.advance(0);
  const Decision producer = scheduler.decide(0);
  EXPECT_EQ(producer.oldest_input, never);
  scheduler.finish(3, 4);
  Decision reader = scheduler.decide(4);
  EXPECT_TRUE(reader.stale);
  EXPECT_EQ(reader.oldest_input, -never) << "one of the two inputs has no data";
  scheduler.finish(3, 6);
  scheduler.published(scan, 18);
  scheduler.advance(20);
  reader = scheduler.decide(20);
  EXPECT_FALSE(reader.stale);
  EXPECT_EQ(reader.oldest_input, -30);
  EXPECT_EQ(scheduler.age_counters().stale_reported, 1u);
  EXPECT_EQ(scheduler.age_counters().refreshed, 1u);
}

TEST(DataAgeTest, ARaiseTellsWhatWasAbove) {
  TaskSet set = task_set({{.execution = 2, .period = 40, .priority = 30},
                          {.execution = 5, .period = 40, .priority = 10},
                          {.execution = 9, .period = 40, .priority = 20}},
                         40);
  for (Task & task : set.tasks) task.kind = TaskKind::other;
  set.tasks[0].data.inputs = {{.channel = scan, .max_age = 30}};
  set.tasks[1].data.outputs = {scan};
  LocalScheduler scheduler = testing::scheduler_of(set, make_policy("fp"));
  scheduler.release(1, 0, 0);
  EXPECT_EQ(scheduler.decide(0).worker, 1u);
  scheduler.release(2, 1, 1);
  EXPECT_EQ(scheduler.decide(1).worker, 2u);
  scheduler.release(0, 2, 2);
  const Decision raised = scheduler.decide(2);
  EXPECT_EQ(raised.kind, Decision::Kind::raise);
  EXPECT_EQ(raised.worker, 1u);
  EXPECT_EQ(raised.above, 2u);
  EXPECT_EQ(raised.job->level, 3u);
  EXPECT_EQ(scheduler.decide(3).kind, Decision::Kind::nothing);
  scheduler.finish(1, 4);
  EXPECT_EQ(scheduler.running(), 2u);
}

/// The experiment of section 5.5 of the thesis, in units of 10 us: a reader of the highest priority
/// every 100 ms and its producer of the lowest priority every 50 ms, among n other tasks.
TEST(DataAgeTest, StaysWithinFortyMillisecondsAtAnySize) {
  std::mt19937_64 random(testing::random_seed());
  for (const int others : {4, 20, 50}) {
    std::vector<testing::Spec> specs = {{.execution = 50, .period = 10000, .priority = 98},
                                        {.execution = 100, .period = 5000, .priority = 1}};
    constexpr std::array<Duration, 3> periods = {1000, 2000, 4000};
    for (int i = 0; i < others; ++i) {
      const Duration period = periods[static_cast<std::size_t>(i) % 3];
      specs.push_back(
          {.execution = static_cast<Duration>(0.72 / others * static_cast<double>(period)),
           .period = period,
           .priority = static_cast<int>(60 - period / 100)});
    }
    for (const bool asked : {false, true}) {
      TaskSet set = task_set(specs, 300'000);
      set.tasks[0].data.inputs = {{.channel = scan, .max_age = asked ? 4000 : never}};
      set.tasks[1].data.outputs = {scan};
      set.tasks[1].data.extra_releases = true;
      LocalScheduler scheduler = testing::scheduler_of(set, make_policy("fp"));
      const SimulationResult result = simulate(scheduler, set.execution, set.options);
      std::vector<Time> publications;
      for (const SimulatedJob & job : result.jobs) {
        if (job.job.task == 1 && job.finish != never) publications.push_back(job.finish);
      }
      std::sort(publications.begin(), publications.end());
      Duration oldest = 0;
      for (const SimulatedJob & job : result.jobs) {
        if (job.job.task != 0 || job.start == never) continue;
        const auto after = std::upper_bound(publications.begin(), publications.end(), job.start);
        oldest = std::max(oldest, after == publications.begin() ? never : job.start - after[-1]);
      }
      EXPECT_EQ(oldest <= 4000, asked)
          << others << " other tasks, greatest age in units of 10 us: " << oldest;
    }
  }
}

/// With refreshes, groups stay exclusive, jobs of a task run in order, and all counters are
/// consistent.
TEST(DataAgeTest, RandomReadersKeepTheInvariants) {
  const std::uint64_t seed = testing::random_seed();
  std::uint64_t refreshed = 0;
  for (std::uint64_t round = 0; round < 400; ++round) {
    TaskSet set = testing::RandomTaskSet(seed + round).make();
    std::mt19937_64 random(seed + round);
    const auto tasks = set.tasks.size();
    for (ChannelId channel = 0; tasks > 1 && channel < 2; ++channel) {
      // Tasks with higher numbers produce for those with lower ones, so that there is no cycle.
      const TaskId reader = static_cast<TaskId>(random() % (tasks - 1));
      const TaskId producer = reader + 1 + static_cast<TaskId>(random() % (tasks - 1 - reader));
      set.tasks[reader].data.inputs.push_back(
          {channel, static_cast<Duration>(random() % 60 + 1),
           random() % 2 == 0 ? OnStale::skip : OnStale::report});
      set.tasks[producer].data.outputs.push_back(channel);
      set.tasks[producer].data.extra_releases = random() % 2 == 0;
    }
    const char * policies[] = {"fp", "edf", "rm", "np-fp", "fifo", "ros"};
    LocalScheduler scheduler = testing::scheduler_of(set, make_policy(policies[random() % 6]));
    const SimulationResult result = simulate(scheduler, set.execution, set.options);
    ASSERT_EQ(testing::broken_job_rule(set, result), "") << "TAKT_SEED=" << seed + round;
    std::map<TaskId, TaskCounters> seen;
    for (const SimulatedJob & job : result.jobs) {
      seen[job.job.task].skipped += job.skipped ? 1 : 0;
      seen[job.job.task].started += job.start != never ? 1 : 0;
    }
    for (TaskId id = 0; id < tasks; ++id) {
      const TaskCounters counters = scheduler.counters(id);
      ASSERT_EQ(counters.started, seen[id].started) << "TAKT_SEED=" << seed + round;
      ASSERT_EQ(counters.skipped, seen[id].skipped) << "TAKT_SEED=" << seed + round;
      ASSERT_LE(counters.stale_skipped, counters.skipped);
      refreshed += counters.refreshed;
    }
  }
  EXPECT_GT(refreshed, 100u);
}

}  // namespace
}  // namespace takt::model
