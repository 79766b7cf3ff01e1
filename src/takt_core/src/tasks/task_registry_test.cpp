// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/tasks/task_registry.hpp"

#include <gmock/gmock.h>

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "takt_core/os/event.hpp"
#include "takt_core/tasks/testing/error_of.hpp"
#include "tasks/testing/plain_node.hpp"

namespace takt::tasks {
namespace {

using ::testing::HasSubstr;
using testing::make_timer;
using testing::PlainCallback;
using testing::PlainNode;

/// A timer that may have a phase. The first time that it is asked whether it may, which is while a
/// strategy is being checked, it calls `asked`.
class AskedTimer : public PlainCallback {
 public:
  using PlainCallback::PlainCallback;
  bool may_have_phase() const noexcept override {
    if (asked) std::exchange(asked, nullptr)();
    return true;
  }
  mutable std::function<void()> asked;
};

GivenStrategy naming(const std::string & task) {
  SchedulingScenario scenario("s");
  scenario.set_task(task, {.priority = 10});
  scenario.set_task("d/asked", {.phase = std::chrono::milliseconds(1), .optional = true});
  const auto strategy = std::make_shared<SchedulingStrategy>();
  strategy->add_scenario(std::move(scenario));
  strategy->set_default_scenario("s");
  return given(strategy);
}

class UnplannedNode : public PlainNode {
 public:
  UnplannedNode(const std::string & name, std::string line)
      : PlainNode(name), line_(std::move(line)) {}
  std::string unplanned() const override { return line_; }

 private:
  std::string line_;
};

TEST(TaskRegistryTest, WhatNoPlanKnowsOfNodesIsOneLineForAllOfThem) {
  const auto registry = std::make_shared<TaskRegistry>(
      executor::Options{.lock_memory = false, .log = [](const std::string &) {}},
      std::vector<int>{});
  const auto a = std::make_shared<UnplannedNode>("/a", "a thread of its own");
  const auto b = std::make_shared<UnplannedNode>("/b", "");
  const auto c = std::make_shared<UnplannedNode>("/space/c", "a thread of its own");
  registry->add_nodes({a, b, c});
  EXPECT_THAT(registry->grants().notes,
              ::testing::Contains("a thread of its own; nodes (2): /a /space/c"));
  registry->remove_nodes({a});
  EXPECT_EQ(registry->grants().notes, registry->inspect().grants.notes);
  EXPECT_THAT(registry->grants().notes,
              ::testing::Contains("a thread of its own; nodes (1): /space/c"));
}

TEST(TaskRegistryTest, SeveralNodesComeAndGoTogetherOrNotAtAll) {
  const auto make = [] {
    return std::make_shared<TaskRegistry>(
        executor::Options{.lock_memory = false, .log = [](const std::string &) {}},
        std::vector<int>{});
  };
  const auto registry = make();
  const auto other = make();
  const auto a = std::make_shared<PlainNode>("/a");
  const auto b = std::make_shared<PlainNode>("/b");
  const auto c = std::make_shared<PlainNode>("/c");
  const auto of_a = make_timer(a, "timer");
  const auto of_b = make_timer(b, "timer");
  const auto of_c = make_timer(c, "timer");
  other->add_nodes({c});
  const auto names = [&] {
    std::vector<std::string> all;
    for (const auto & [number, name] : registry->tasks()) all.push_back(name);
    return all;
  };
  EXPECT_THAT(testing::error_of([&] { registry->add_nodes({a, c}); }), HasSubstr("node 'c'"));
  EXPECT_THAT(names(), ::testing::IsEmpty());
  EXPECT_EQ(other->tasks().size(), 1u);
  registry->add_nodes({a, b});
  EXPECT_THAT(names(), ::testing::UnorderedElementsAre("a/timer", "b/timer"));
  EXPECT_THAT(testing::error_of([&] { registry->remove_nodes({b, c}); }), HasSubstr("node 'c'"));
  EXPECT_EQ(names().size(), 2u);
  registry->remove_nodes({a, b});
  EXPECT_THAT(names(), ::testing::IsEmpty());
  registry->close();
  other->close();
}

TEST(TaskRegistryTest, ANodeThatIsTriedAgainKeepsNoStrategyOut) {
  const auto registry = std::make_shared<TaskRegistry>(
      executor::Options{.lock_memory = false, .log = [](const std::string &) {}},
      std::vector<int>{});
  const auto a = std::make_shared<PlainNode>("/a");
  const auto d = std::make_shared<PlainNode>("/d");
  const auto quick_of_a = make_timer(a, "quick");
  const auto slow_of_a = make_timer(a, "slow");
  const auto quick_of_d = make_timer(d, "quick");
  const auto slow_of_d = make_timer(d, "slow");
  const auto asked = std::make_shared<AskedTimer>(
      d, model::Task{.id = "asked", .period = 1'000'000'000, .deadline = 1'000'000'000}, nullptr);
  d->list(asked);
  registry->add_nodes({a});
  registry->set_strategy(naming("quick"));
  std::thread spinning([&] { registry->processors().spin(); });
  while (!registry->processors().spinning()) std::this_thread::yield();
  const auto refusal = [&] { return testing::error_of([&] { registry->add_nodes({d}); }); };
  EXPECT_THAT(refusal(), HasSubstr("say which of a/quick, d/quick"));
  std::string wrong = "not asked";
  asked->asked = [&] {
    wrong = testing::error_of([&] { registry->set_strategy(naming("slow")); });
  };
  EXPECT_THAT(refusal(), HasSubstr("say which of a/quick, d/quick"));
  EXPECT_EQ(wrong, "");
  EXPECT_THAT(refusal(), HasSubstr("say which of a/slow, d/slow"));
  registry->processors().stop();
  spinning.join();
  registry->close();
}

/// A callback that posts `inside` and does not return before `go_on` is posted.
class StuckCallback : public PlainCallback {
 public:
  using PlainCallback::PlainCallback;
  void execute(const executor::JobInfo & job) override {
    PlainCallback::execute(job);
    inside.post();
    go_on.wait();
  }
  os::Event inside;
  os::Event go_on;
};

TEST(TaskRegistryTest, CallbacksThatAreEnlistedAreAddedTogether) {
  const auto registry = std::make_shared<TaskRegistry>(
      executor::Options{.lock_memory = false, .log = [](const std::string &) {}},
      std::vector<int>{});
  const auto node = std::make_shared<PlainNode>("/n");
  const auto stranger = std::make_shared<PlainNode>("/stranger");
  registry->add_nodes({node});
  std::vector<std::shared_ptr<Callback>> timers;
  for (const auto & of : {node, node, stranger}) {
    const model::Task task{.id = "t", .period = 1'000'000'000, .deadline = 1'000'000'000};
    timers.push_back(std::make_shared<PlainCallback>(of, task, nullptr));
    of->enlist(timers.back());
  }
  EXPECT_TRUE(registry->tasks().empty());
  registry->add(timers);
  std::vector<std::string> names;
  for (const auto & [number, name] : registry->tasks()) names.push_back(name);
  EXPECT_THAT(names, ::testing::ElementsAre("n/t", "n/t#2"));
  registry->add(timers);
  EXPECT_EQ(registry->tasks().size(), 2u);
  registry->close();
}

TEST(TaskRegistryTest, CallbacksAreRetiredTogetherAndWaitedForOneByOne) {
  const auto registry = std::make_shared<TaskRegistry>(
      executor::Options{.lock_memory = false, .log = [](const std::string &) {}},
      std::vector<int>{});
  const auto node = std::make_shared<PlainNode>("/n");
  const auto rests = make_timer(node, "rests");
  const auto stuck = std::make_shared<StuckCallback>(
      node, model::Task{.id = "stuck", .period = 1'000'000, .deadline = 1'000'000}, nullptr);
  node->list(stuck);
  registry->add_nodes({node});
  std::thread spinning([&] { registry->processors().spin(); });
  stuck->inside.wait();
  auto departures = registry->retire({rests, stuck});
  EXPECT_TRUE(registry->tasks().empty());
  for (executor::Departures & each : departures[rests.get()]) EXPECT_TRUE(each.wait_until(0));
  ASSERT_EQ(departures[stuck.get()].size(), 1u);
  EXPECT_FALSE(departures[stuck.get()].front().wait_until(0));
  stuck->go_on.post();
  departures[stuck.get()].front().wait();
  EXPECT_EQ(stuck->jobs, 1);
  registry->processors().stop();
  spinning.join();
  registry->close();
}

}  // namespace
}  // namespace takt::tasks
