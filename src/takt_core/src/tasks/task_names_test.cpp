// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/tasks/task_names.hpp"

#include <gmock/gmock.h>

#include <memory>

#include "tasks/testing/plain_node.hpp"

namespace takt::tasks {
namespace {

using testing::make_timer;
using testing::PlainNode;

TEST(TaskNames, AreWholeOrBare) {
  const auto a = std::make_shared<PlainNode>("/robot/a");
  const auto b = std::make_shared<PlainNode>("/b");
  const auto only = make_timer(a, "only");
  const auto of_a = make_timer(a, "tick");
  const auto of_b = make_timer(b, "tick");
  // A bare name that is another's whole one.
  const auto path = make_timer(a, "b/tick");
  TaskNames names;
  for (const auto & node : {a, b}) {
    for (const auto & callback : node->callbacks()) names.add(callback);
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
}  // namespace takt::tasks
