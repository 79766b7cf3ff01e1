// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/model/task_check.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace takt::model {
namespace {

Task good() {
  Task task;
  task.id = "arm/plan";
  task.period = 100;
  task.deadline = 100;
  return task;
}

/// The error text; empty if the task is valid.
std::string complaint(const Task & task) {
  try {
    check_task(task);
  } catch (const std::invalid_argument & error) {
    return error.what();
  }
  return "";
}

template <typename Change>
std::string after(Change change) {
  Task task = good();
  change(task);
  return complaint(task);
}

TEST(TaskCheckTest, AcceptsWhatIsInRange) {
  EXPECT_EQ(complaint(good()), "");
  EXPECT_EQ(after([](Task & task) { task.deadline = never; }), "");
  EXPECT_EQ(after([](Task & task) { task.deadline = 1; }), "");
  EXPECT_EQ(after([](Task & task) { task.phase = 1000; }), "");
  EXPECT_EQ(after([](Task & task) { task.priority = highest_priority; }), "");
  EXPECT_EQ(after([](Task & task) { task.queue = 1, task.deadline = 200; }), "");
  EXPECT_EQ(after([](Task & task) { task.kind = TaskKind::client, task.period = 0; }), "");
  EXPECT_EQ(after([](Task & task) { task.kind = TaskKind::subscription, task.deadline = 900; }),
            "");
}

TEST(TaskCheckTest, NamesTheTaskAndWhatIsWrong) {
  EXPECT_EQ(after([](Task & task) { task.period = 0; }),
            "task 'arm/plan': period must be above 0, not 0 ns");
  EXPECT_EQ(
      after([](Task & task) { task.deadline = 101; }),
      "task 'arm/plan': deadline 101 ns is beyond the period 100 ns: let jobs wait with queue > "
      "0, or shorten it");
  EXPECT_EQ(after([](Task & task) { task.priority = 99; }),
            "task 'arm/plan': priority must be from 1 to 98, not 99");
}

TEST(TaskCheckTest, RefusesWhatIsOutOfRange) {
  EXPECT_NE(after([](Task & task) { task.period = -1; }), "");
  EXPECT_NE(after([](Task & task) { task.period = furthest + 1; }), "");
  EXPECT_NE(after([](Task & task) { task.phase = -1; }), "");
  EXPECT_NE(after([](Task & task) { task.phase = furthest + 1; }), "");
  EXPECT_NE(after([](Task & task) { task.deadline = 0; }), "");
  EXPECT_NE(after([](Task & task) { task.deadline = -5; }), "");
  EXPECT_NE(after([](Task & task) { task.priority = 0; }), "");
  EXPECT_NE(after([](Task & task) { task.queue = longest_queue + 1; }), "");
  EXPECT_NE(after([](Task & task) { task.kind = TaskKind::service, task.period = -1; }), "");
  EXPECT_THROW(check_instant(furthest + 1, "t0"), std::invalid_argument);
  EXPECT_THROW(check_instant(-furthest - 1, "t0"), std::invalid_argument);
  EXPECT_NO_THROW(check_instant(furthest, "t0"));
}

}  // namespace
}  // namespace takt::model
