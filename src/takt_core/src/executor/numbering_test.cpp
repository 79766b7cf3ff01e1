// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "numbering.hpp"

#include <gtest/gtest.h>

#include <cstdint>

#include "takt_core/executor/processors.hpp"
#include "takt_core/model/setup.hpp"
#include "task_table.hpp"

namespace takt::executor {
namespace {

// Each concept is checked with the right type of id as well, so that a failure is due to the wrong
// one.

template <typename Id>
concept ReleasesOfProcessors =
    requires(Processor & processor, Id task) { processor.release(task); };
static_assert(ReleasesOfProcessors<TaskId> && !ReleasesOfProcessors<model::TaskId>);

template <typename Id>
concept ReleasesOfSchedulers =
    requires(model::Scheduler & scheduler, Id task) { scheduler.release(task, 0, 0); };
static_assert(ReleasesOfSchedulers<model::TaskId> && !ReleasesOfSchedulers<TaskId>);

template <typename Id>
concept CountedByProcessors = requires(Processors & all, Id task) { all.counters(task); };
static_assert(CountedByProcessors<TaskId> && !CountedByProcessors<model::TaskId>);

template <typename Id>
concept InTimingsOfScenarios = requires(Scenario & scenario, Id task) { scenario.timings[task]; };
static_assert(InTimingsOfScenarios<TaskId> && !InTimingsOfScenarios<model::TaskId>);

template <typename Id>
concept InTimingsOfTheModel =
    requires(model::Scenario & scenario, Id task) { scenario.timings[task]; };
static_assert(InTimingsOfTheModel<model::TaskId> && !InTimingsOfTheModel<TaskId>);

template <typename Id>
concept Named = requires(const TaskTable & tasks, Id task) { tasks.name(task); };
static_assert(Named<TaskId> && !Named<model::TaskId>);

template <typename Id>
concept Entered = requires(const TaskTable & tasks, Id task) { tasks.entry(task); };
static_assert(Entered<model::TaskId> && !Entered<TaskId>);

template <typename Id>
concept GroupOfATask =
    requires(Changes & changes, Id group) { changes.add_task({}, JobFunction{}, group); };
static_assert(GroupOfATask<GroupId> && !GroupOfATask<model::GroupId> && !GroupOfATask<TaskId>);

template <typename Id>
concept GroupInTheModel = requires(model::Task & task, Id group) { task.group = group; };
static_assert(GroupInTheModel<model::GroupId> && !GroupInTheModel<GroupId>);

template <typename To, typename From>
concept ToldAs = requires(void (*handler)(const To &), const From & notice) { handler(notice); };
static_assert(ToldAs<Miss, Miss> && !ToldAs<Miss, model::Miss> && !ToldAs<model::Miss, Miss>);

template <typename Id>
concept Comparable = requires(TaskId task, Id other) { task == other; };
static_assert(Comparable<TaskId> && !Comparable<model::TaskId> && !Comparable<GroupId>);

TEST(NumberingTest, AddsTheNumberOfTheFirstAndTakesItAway) {
  const Numbering numbering(TaskId{1000});
  EXPECT_EQ(numbering.first(), TaskId{1000});
  EXPECT_EQ(numbering.task(5), TaskId{1005});
  EXPECT_EQ(to_number(numbering.task(5)), 1005U);
  EXPECT_EQ(numbering.in_model(TaskId{1005}), 5U);
  EXPECT_EQ(numbering.group(3), GroupId{1003});
  EXPECT_EQ(to_number(numbering.group(3)), 1003U);
  EXPECT_EQ(numbering.in_model(GroupId{1003}), 3U);
}

TEST(NumberingTest, WhatIsNotTheProcessorsIsNoIndexThatThereIs) {
  const Numbering numbering(TaskId{1000});
  EXPECT_EQ(numbering.in_model(GroupId::none), model::none);
  constexpr std::uint32_t many = 1U << 24U;
  EXPECT_GT(numbering.in_model(TaskId::none), many);
  EXPECT_GT(numbering.in_model(TaskId{999}), many);
  EXPECT_GT(numbering.in_model(GroupId{999}), many);
}

TEST(NumberingTest, HandlersAreToldOfTheProcessorsTaskAndAllElseAsItWas) {
  const Numbering numbering(TaskId{1000});
  const auto expect_told = [](const model::JobOf<TaskId> & job) {
    EXPECT_EQ(job.task, TaskId{1005});
    EXPECT_EQ(job.level, 2U);
    EXPECT_EQ(job.index, 3U);
    EXPECT_EQ(job.release, 4);
    EXPECT_EQ(job.deadline, 6);
    EXPECT_EQ(job.urgency, 7);
  };
  const model::Job job{
      .task = 5, .level = 2, .index = 3, .release = 4, .deadline = 6, .urgency = 7};
  const Miss miss = numbering.in_executor(
      model::Miss{.job = job, .noticed = 8, .pending = true, .transition = true});
  expect_told(miss.job);
  EXPECT_EQ(miss.noticed, 8);
  EXPECT_TRUE(miss.pending);
  EXPECT_TRUE(miss.transition);
  const Overrun overrun =
      numbering.in_executor(model::Overrun{.job = job, .count = 9, .skipped = true});
  expect_told(overrun.job);
  EXPECT_EQ(overrun.count, 9U);
  EXPECT_TRUE(overrun.skipped);
  const Exhaustion exhaustion = numbering.in_executor(
      model::Exhaustion{.job = job, .noticed = 8, .used = 9, .lowered = true});
  expect_told(exhaustion.job);
  EXPECT_EQ(exhaustion.noticed, 8);
  EXPECT_EQ(exhaustion.used, 9);
  EXPECT_TRUE(exhaustion.lowered);
}

}  // namespace
}  // namespace takt::executor
