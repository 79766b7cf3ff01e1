// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/tasks/scenario_table.hpp"

#include <gmock/gmock.h>

#include "takt_core/tasks/error.hpp"
#include "takt_core/tasks/testing/error_of.hpp"

namespace takt::tasks {
namespace {

using ::testing::ElementsAre;
using testing::error_of;

TEST(ScenarioTableTest, ANameKeepsItsNumber) {
  ScenarioTable table;
  EXPECT_EQ(error_of([&] { table.number("a"); }),
            "no scenario 'a': no strategy was given to the executor");
  table.set({"a", "b"});
  EXPECT_EQ(table.number("a"), 1u);
  EXPECT_EQ(table.number("b"), 2u);
  EXPECT_THAT(table.numbered({"c", "b"}), ElementsAre("", "b", "c"));
  table.set({"c", "b"});
  EXPECT_EQ(table.number("b"), 2u);
  EXPECT_EQ(table.number("c"), 3u);
  EXPECT_EQ(error_of([&] { table.number("a"); }), "no scenario 'a': there are b, c");
  EXPECT_FALSE(table.present(1));
  EXPECT_EQ(table.name(1), "a");
  table.set({"a"});
  EXPECT_EQ(table.number("a"), 1u);
  EXPECT_EQ(table.name(0), "");
  EXPECT_EQ(table.name(4), "");
  EXPECT_FALSE(table.present(0));
}

TEST(ScenarioTableTest, HasRoomForSoMany) {
  ScenarioTable table;
  std::vector<std::string> names;
  for (int i = 0; i < 4096; ++i) names.push_back("s" + std::to_string(i));
  table.set(names);
  EXPECT_EQ(table.number("s4095"), 4096u);
  EXPECT_THROW(table.set({"one more"}), Error);
  EXPECT_EQ(table.number("s4095"), 4096u);
}

}  // namespace
}  // namespace takt::tasks
