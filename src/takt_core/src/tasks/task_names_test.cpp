// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/tasks/task_names.hpp"

#include <gmock/gmock.h>

#include <memory>
#include <string>
#include <vector>

#include "tasks/testing/plain_node.hpp"

namespace takt::tasks {
namespace {

using testing::make_timer;
using testing::PlainNode;

TEST(TaskNamesTest, AreWholeOrBare) {
  const auto a = std::make_shared<PlainNode>("/robot/a");
  const auto b = std::make_shared<PlainNode>("/b");
  const auto only = make_timer(a, "only");
  const auto of_a = make_timer(a, "tick");
  const auto of_b = make_timer(b, "tick");
  // Its bare name is the complete identifier of another one.
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
  EXPECT_EQ(found("timer:only"), only.get());
  EXPECT_EQ(found("robot/a/timer:tick"), of_a.get());
  EXPECT_TRUE(names.find("service:only").missing);
  EXPECT_EQ(names.find("x").problem, "there is no such task");
  EXPECT_EQ(names.known("x"), "; there are robot/a/only, robot/a/tick, robot/a/b/tick, b/tick");
  // Callbacks of the same node come first.
  EXPECT_EQ(names.known("b/tock"),
            "; there are b/tick, robot/a/only, robot/a/tick, robot/a/b/tick");
  // Callbacks of another kind are not listed.
  EXPECT_EQ(names.known("service:tick"), "");
  for (int i = 0; i < 12; ++i) names.add(make_timer(a, "more" + std::to_string(i)));
  EXPECT_THAT(names.known("b/tock"),
              ::testing::AllOf(::testing::HasSubstr("there are b/tick, robot/a/only"),
                               ::testing::EndsWith(", robot/a/more7 ...")));
}

TEST(TaskNamesTest, NodesOfOneNameCannotBeToldApart) {
  TaskNames names;
  const std::vector nodes{std::make_shared<PlainNode>("/robot/a"),
                          std::make_shared<PlainNode>("/robot/a")};
  std::vector<std::shared_ptr<Callback>> timers;
  for (const auto & node : nodes) names.add(timers.emplace_back(make_timer(node, "tick")));
  for (const char * name : {"robot/a/tick", "tick", "timer:tick"}) {
    EXPECT_EQ(names.find(name).problem,
              "several nodes are called 'robot/a': give each a name of its own");
    EXPECT_FALSE(names.find(name).missing);
  }
}

TEST(TaskNamesTest, ThoseThatOnlyANumberTellsApartNeedIt) {
  class Numbered : public testing::PlainCallback {
   public:
    using PlainCallback::PlainCallback;
    bool numbered() const noexcept override { return true; }
  };
  const auto node = std::make_shared<PlainNode>("/a");
  std::vector<std::shared_ptr<Callback>> timers;
  TaskNames names;
  for (const char * name : {"timer:2ms", "timer:2ms", "timer:3ms"}) {
    model::Task task;
    task.id = name;
    task.period = 1;
    timers.push_back(std::make_shared<Numbered>(node, task, nullptr));
    node->list(timers.back());
    names.add(timers.back());
  }
  EXPECT_EQ(names.find("a/timer:3ms").callback, timers[2]);
  EXPECT_EQ(names.find("a/timer:2ms#1").callback, timers[0]);
  EXPECT_EQ(names.find("timer:2ms#2").callback, timers[1]);
  EXPECT_EQ(
      names.find("timer:2ms").problem,
      "its node has several such: write a/timer:2ms#1 or a/timer:2ms#2, in the order in which "
      "it made them");
  EXPECT_FALSE(names.find("timer:2ms").missing);
}

TEST(TaskNamesTest, AKindTellsThoseOfOneNameApart) {
  const auto node = std::make_shared<PlainNode>("/a");
  std::vector<std::shared_ptr<Callback>> callbacks;
  TaskNames names;
  for (const auto kind : {model::TaskKind::subscription, model::TaskKind::service}) {
    model::Task task;
    task.id = "ask";
    task.kind = kind;
    callbacks.push_back(std::make_shared<testing::PlainCallback>(node, task, nullptr));
    node->list(callbacks.back());
    names.add(callbacks.back());
  }
  EXPECT_EQ(names.find("a/subscription:ask").callback, callbacks[0]);
  EXPECT_EQ(names.find("a/service:/ask").callback, callbacks[1]);
  EXPECT_EQ(names.find("service:ask").callback, callbacks[1]);
  EXPECT_TRUE(names.find("client:ask").missing);
}

}  // namespace
}  // namespace takt::tasks
