// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "task_names.hpp"

#include <gmock/gmock.h>

#include <memory>

#include "takt/node.hpp"
#include "testing/background.hpp"

namespace takt::detail {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

TEST(TaskNames, AreWholeOrBare) {
  const auto context = testing::make_context();
  Node a("a", {.context = context, .namespace_ = "robot"});
  Node b("b", {.context = context});
  const auto none = [] {};
  const auto only = a.create_timer("only", 1s, none);
  const auto of_a = a.create_timer("tick", 1s, none);
  const auto of_b = b.create_timer("tick", 1s, none);
  // A bare name that is another's whole one.
  const auto path = a.create_timer("b/tick", 1s, none);
  TaskNames names;
  for (const Node * node : {&a, &b}) {
    for (const auto & callback : node->base()->callbacks()) names.add(callback);
  }
  const auto found = [&names](const char * name) { return names.find(name).callback.get(); };
  EXPECT_EQ(found("robot/a/only"), only.get());
  EXPECT_EQ(found("/robot/a/only"), only.get());
  EXPECT_EQ(found("only"), only.get());
  EXPECT_EQ(found("b/tick"), of_b.get());
  EXPECT_EQ(found("robot/a/b/tick"), path.get());
  EXPECT_EQ(found("robot/a/tick"), of_a.get());
  EXPECT_EQ(names.find("tick").problem,
            "several tasks have this name: say which of robot/a/tick, b/tick");
  EXPECT_FALSE(names.find("tick").missing);
  for (const char * unknown : {"", "/", "a/only", "onl", "b", "robot/a/", "robot/a/onlyx"}) {
    EXPECT_TRUE(names.find(unknown).missing) << unknown;
  }
  EXPECT_EQ(names.find("x").problem,
            "there is no such task; there are robot/a/only, robot/a/tick, robot/a/b/tick, b/tick");
}

}  // namespace
}  // namespace takt::detail
