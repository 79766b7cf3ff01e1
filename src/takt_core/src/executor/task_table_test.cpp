// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "task_table.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace takt::executor {
namespace {

TEST(IdMap, gives_the_lowest_id_and_uses_it_again) {
  IdMap ids;
  EXPECT_EQ(ids.take(), 0U);
  EXPECT_EQ(ids.take(), 1U);
  EXPECT_EQ(ids.take(), 2U);
  ids.give_back(1);
  EXPECT_FALSE(ids.taken(1));
  EXPECT_EQ(ids.take(), 1U);
  EXPECT_TRUE(ids.taken(1));
}

TEST(IdMap, what_is_not_bound_is_unknown_to_the_model) {
  IdMap ids;
  const std::uint32_t id = ids.take();
  EXPECT_EQ(ids.in_model(id), model::none);
  EXPECT_EQ(ids.in_model(99), model::none);
  ids.bind(id, 7);
  EXPECT_EQ(ids.in_model(id), 7U);
  ids.give_back(id);
  EXPECT_EQ(ids.in_model(id), model::none);
}

TEST(TaskTable, finds_functions_by_the_ids_of_the_model) {
  TaskTable tasks;
  int context = 0;
  const model::TaskId first = tasks.add("n/first");
  const model::TaskId second = tasks.add("n/second");
  tasks.bind(second, 5, {[](void *, const JobInfo &) {}, &context});
  EXPECT_EQ(tasks.entry(5).id, second);
  EXPECT_EQ(tasks.entry(5).context, &context);
  EXPECT_EQ(*tasks.name(second), "n/second");
  EXPECT_TRUE(tasks.contains(first));
  EXPECT_EQ(tasks.in_model(first), model::none);
}

TEST(TaskTable, fetches_the_lines_that_a_function_touches) {
  // Nothing is read there, so nothing has to be there.
  const auto place = [](std::uintptr_t at) { return reinterpret_cast<void *>(at); };
  constexpr std::uintptr_t context = 0x5610'0000'1010;  // amid its line
  JobFunction function{[](void *, const JobInfo &) {}, place(context), {}};
  const std::vector<std::uintptr_t> near{0x5610'0000'1000, 0x5610'0000'1040, 0x5610'0000'1080,
                                         0x5610'0000'0fc0, 0x5600'1234'5640, 0x561f'ffff'ffc0};
  for (const std::uintptr_t at : near) function.footprint.add(place(at + 5));
  function.footprint.add(place(64));  // too far away
  TaskTable tasks;
  tasks.bind(tasks.add("n/a"), 0, function);
  std::vector<std::uintptr_t> lines;
  tasks.entry(0).each_line([&lines](std::uintptr_t at) { lines.push_back(at); });
  EXPECT_EQ(lines, near);
  tasks.fetch(0);
  tasks.entry(0).fetch();
}

TEST(TaskTable, a_name_outlives_its_task) {
  TaskTable tasks;
  const model::TaskId id = tasks.add("n/a");
  const TaskTable::Name name = tasks.name(id);
  tasks.remove(id);
  EXPECT_EQ(*name, "n/a");
  EXPECT_EQ(*tasks.name(id), "(removed)");
  EXPECT_EQ(*tasks.name(model::none), "(removed)");
  EXPECT_FALSE(tasks.contains(id));
}

TEST(TaskTable, early_releases_are_taken_once_and_not_inherited) {
  TaskTable tasks;
  const model::TaskId id = tasks.add("n/a");
  tasks.released_early(id);
  tasks.released_early(id);
  tasks.restarted_early(id, 7);
  const TaskTable::Early early = tasks.take_early(id);
  EXPECT_EQ(early.releases, 2U);
  EXPECT_EQ(early.restart, 7);
  EXPECT_EQ(tasks.take_early(id).releases, 0U);
  EXPECT_EQ(tasks.take_early(id).restart, model::never);
  tasks.released_early(id);
  tasks.remove(id);
  EXPECT_EQ(tasks.take_early(tasks.add("n/b")).releases, 0U);
}

}  // namespace
}  // namespace takt::executor
