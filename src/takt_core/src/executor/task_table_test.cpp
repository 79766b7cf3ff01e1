// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "task_table.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace takt::executor {
namespace {

TEST(TaskTableTest, FindsFunctionsByTheIdsOfTheModel) {
  TaskTable tasks(TaskId{1000});
  int context = 0;
  tasks.make_room(6);
  tasks.add(tasks.prepare(5, "n/a", {[](void *, const JobInfo &) {}, &context}), 7);
  EXPECT_EQ(tasks.entry(5).id, TaskId{1005});
  EXPECT_EQ(tasks.entry(5).context, &context);
  EXPECT_EQ(*tasks.name(TaskId{1005}), "n/a");
  EXPECT_EQ(tasks.use(TaskId{1005}).since, 7);
  EXPECT_EQ(tasks.in_model(TaskId{1005}), 5U);
}

TEST(TaskTableTest, FetchesTheLinesThatAFunctionTouches) {
  // Nothing is read through these addresses, so they need not exist.
  const auto place = [](std::uintptr_t at) { return reinterpret_cast<void *>(at); };
  constexpr std::uintptr_t context = 0x5610'0000'1010;  // in the middle of a line
  JobFunction function{[](void *, const JobInfo &) {}, place(context), {}};
  const std::vector<std::uintptr_t> near{0x5610'0000'1000, 0x5610'0000'1040, 0x5610'0000'1080,
                                         0x5610'0000'0fc0, 0x5600'1234'5640, 0x561f'ffff'ffc0};
  for (const std::uintptr_t at : near) function.footprint.add(place(at + 5));
  function.footprint.add(place(64));  // more than 128 GiB away
  TaskTable tasks;
  tasks.make_room(1);
  tasks.add(tasks.prepare(0, "n/a", function), 0);
  std::vector<std::uintptr_t> lines;
  tasks.entry(0).each_line([&lines](std::uintptr_t at) { lines.push_back(at); });
  EXPECT_EQ(lines, near);
  tasks.fetch(0);
  tasks.entry(0).fetch();
}

TEST(TaskTableTest, ANameOutlivesItsTask) {
  TaskTable tasks;
  tasks.make_room(1);
  tasks.add(tasks.prepare(0, "n/a", {}), 0);
  const TaskTable::Name name = tasks.name(TaskId{0});
  TaskTable::Name old;
  tasks.remove(0, old);
  EXPECT_EQ(old, name);
  EXPECT_EQ(*name, "n/a");
  EXPECT_EQ(*tasks.name(TaskId{0}), "(removed)");
  EXPECT_EQ(*tasks.name(TaskId::none), "(removed)");
}

TEST(TaskTableTest, WhatAnEarlierTaskOfTheNumberHasLeftIsReturnedAndNotDestroyed) {
  TaskTable tasks(TaskId{0}, true);
  tasks.make_room(1);
  std::vector<TaskTable::NewEntry> added = {tasks.prepare(0, "n/a", {}),
                                            tasks.prepare(0, "n/b", {})};
  const std::weak_ptr<Responses> responses = added[0].responses;
  tasks.add(std::move(added[0]), 0);
  tasks.add(std::move(added[1]), 0);
  EXPECT_EQ(*tasks.name(TaskId{0}), "n/b");
  EXPECT_FALSE(responses.expired());
  added.clear();
  EXPECT_TRUE(responses.expired());
}

}  // namespace
}  // namespace takt::executor
