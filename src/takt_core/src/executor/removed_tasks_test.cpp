// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "removed_tasks.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <vector>

namespace takt::executor {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

class RemovedTasksTest : public ::testing::Test {
 protected:
  RemovedTasks::Task task(model::TaskId id) {
    return std::make_shared<RemovedTask>(id, "n/" + std::to_string(id), needed_, false);
  }
  void end_finished() {
    asked_.clear();
    ended_.clear();
    tasks_.end_finished(
        [this](model::TaskId id) {
          asked_.push_back(id);
          return busy_.contains(id);
        },
        [this](RemovedTask & each) { ended_.push_back(each.task); });
  }

  RemovedTasks tasks_;
  std::shared_ptr<int> needed_ = std::make_shared<int>();
  std::set<model::TaskId> busy_;
  std::vector<model::TaskId> asked_;
  std::vector<model::TaskId> ended_;
};

TEST_F(RemovedTasksTest, AJobThatFinishesLooksAtTheStartedTasksAlone) {
  for (model::TaskId id = 10; id < 1'000; ++id) tasks_.add_ended(task(id));
  for (const model::TaskId id : {1U, 2U, 3U}) tasks_.add_started(task(id));
  busy_ = {1, 3};
  end_finished();
  EXPECT_THAT(asked_, UnorderedElementsAre(1, 2, 3));
  EXPECT_THAT(ended_, ElementsAre(2));
  end_finished();
  EXPECT_THAT(asked_, UnorderedElementsAre(1, 3))
      << "the one that has ended is not asked for again";
  EXPECT_TRUE(tasks_.is_started(3));
  EXPECT_FALSE(tasks_.is_started(2));
  EXPECT_FALSE(tasks_.is_started(10));
  busy_.clear();
  end_finished();
  end_finished();
  EXPECT_THAT(asked_, IsEmpty());
}

TEST_F(RemovedTasksTest, WhatATaskNeededIsDestroyedWithTheListOfEndedOnes) {
  for (model::TaskId id = 0; id < 100'000; ++id) tasks_.add_ended(task(id));
  tasks_.add_started(task(100'000));
  EXPECT_EQ(needed_.use_count(), 100'002);
  RemovedTasks::Task ended = tasks_.take_ended();
  EXPECT_EQ(needed_.use_count(), 100'002);
  RemovedTasks::destroy(std::move(ended));
  EXPECT_EQ(needed_.use_count(), 2);
  EXPECT_EQ(tasks_.take_ended(), nullptr);
  end_finished();
  RemovedTasks::destroy(tasks_.take_ended());
  EXPECT_EQ(needed_.use_count(), 1);
}

}  // namespace
}  // namespace takt::executor
