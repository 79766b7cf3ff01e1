// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// Strategy files that are loaded while the executor spins, and nodes that are added and removed
// under a strategy.
#include <gmock/gmock.h>

#include <algorithm>
#include <string>
#include <vector>

#include "takt_core/tasks/testing/error_of.hpp"
#include "testing/strategy_files.hpp"

namespace takt::rclcpp {
namespace {

using namespace std::chrono_literals;
using takt::testing::error_of;
using ::testing::HasSubstr;
using testing::Watched;

class StrategyChangesTest : public testing::StrategyFileTest {};

TEST_F(StrategyChangesTest, ScenariosChangeAsItSpins) {
  const auto node = make_node("a");
  Watched<int> calls;
  const auto timer = node->create_wall_timer(2ms, [&] { calls.add(1); });
  Watched<int> others;
  const auto other = node->create_wall_timer(3ms, [&] { others.add(1); });
  executor_->add_node(node);
  executor_->load_strategy(write(R"(default: normal
scenarios:
  normal: {tasks: {"a/timer:2ms": {priority: 10}}}
  quiet: {tasks: {"a/timer:2ms": {suspended: true}}}
)"));
  start();
  ASSERT_TRUE(calls.wait_for_at_least(3));
  executor_->request_scenario("quiet");
  ASSERT_TRUE(testing::eventually([&] { return executor_->scenario() == "quiet"; }));
  // One job may have started just before.
  const int until = others.get() + 3;
  ASSERT_TRUE(others.wait_for_at_least(until));
  const int before = calls.get();
  ASSERT_TRUE(others.wait_for_at_least(until + 4));
  EXPECT_EQ(calls.get(), before);
  executor_->request_scenario("normal");
  EXPECT_TRUE(calls.wait_for_at_least(before + 3));
  stop();
}

TEST_F(StrategyChangesTest, ACallbackMayLoadAnotherFile) {
  const auto node = make_node("a");
  const std::string file = write(R"(default: other
scenarios: {other: {tasks: {"a/timer:2ms": {priority: 10}}}}
)");
  Watched<int> calls;
  const auto timer = node->create_wall_timer(2ms, [&] {
    if (calls.get() == 0) executor_->load_strategy(file);
    calls.add(1);
  });
  executor_->add_node(node);
  start();
  EXPECT_TRUE(testing::eventually([&] { return executor_->scenario() == "other"; }));
  EXPECT_TRUE(calls.wait_for_at_least(3));
  stop();
}

TEST_F(StrategyChangesTest, TheLastCallbackMayLoadAnotherFile) {
  const auto node = make_node("a");
  const std::string file = write(R"(default: other
scenarios: {other: {tasks: {"a/timer:2ms": {priority: 10}}}}
)");
  const auto timer = node->create_wall_timer(2ms, [&] {
    // Many changes, so that the thread that makes them is still busy when spin() ends.
    for (int i = 0; i < 10; ++i) executor_->set_scheduling_strategy(nullptr);
    executor_->load_strategy(file);
    executor_->cancel();
  });
  executor_->add_node(node);
  for (int i = 0; i < 20; ++i) {
    executor_->set_scheduling_strategy(nullptr);
    executor_->spin();
    EXPECT_EQ(executor_->scenario(), "other") << i;
  }
}

TEST_F(StrategyChangesTest, ARefusedFileLeavesWhatTimersReadAlone) {
  const auto node = make_node("a");
  const auto subscription = node->create_subscription<Message>("news", 1, [](const Message &) {});
  const auto timer = node->create_wall_timer(2ms, [] {});
  executor_->add_node(node);
  const std::string file = write(R"(default: s
scenarios: {s: {tasks: {"a/timer:2ms": {subscribes: news}, "a/nothing": {priority: 3}}}}
)");
  EXPECT_THAT(error_of([&] { executor_->load_strategy(file); }), HasSubstr("no such task"));
  EXPECT_THAT(tasks(), ::testing::Contains("a/news"));
}

TEST_F(StrategyChangesTest, WhatWaitsGetsAJobWhenTheSubscriptionTriggersAgain) {
  const auto node = make_node("a", ::rclcpp::NodeOptions().use_intra_process_comms(true));
  const auto publisher = node->create_publisher<Message>("news", 10);
  const auto subscription =
      node->create_subscription<Message>("news", 10, [&](const Message &) { jobs_.add(1); });
  const auto timer = node->create_wall_timer(2ms, [] {});
  timer->cancel();
  executor_->add_node(node);
  executor_->load_strategy(write(R"(default: s
scenarios: {s: {tasks: {"a/timer:2ms": {subscribes: news}}}}
)"));
  start();
  ASSERT_TRUE(testing::eventually([&] { return executor_->processor().spinning(); }));
  for (int i = 0; i < 4; ++i) publisher->publish(Message());
  executor_->load_strategy(write(R"(default: s
scenarios: {s: {tasks: {"a/timer:2ms": {priority: 7}}}}
)"));
  EXPECT_TRUE(jobs_.wait_for_at_least(4)) << jobs_.get();
  stop();
}

TEST_F(StrategyChangesTest, FilesMayBeLoadedByManyThreadsAtOnce) {
  const auto node = make_node("a", ::rclcpp::NodeOptions().use_intra_process_comms(true));
  const auto subscription = node->create_subscription<Message>("news", 1, [](const Message &) {});
  const auto timer = node->create_wall_timer(2ms, [&] { jobs_.add(1); });
  executor_->add_node(node);
  const std::string reads = write(R"(default: s
scenarios: {s: {tasks: {"a/timer:2ms": {subscribes: news}}}}
)");
  const auto other = takt::load_strategy(reads);
  for (const bool spins : {false, true}) {
    if (spins) start();
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&, i] {
        for (int k = 0; k < 25; ++k) {
          executor_->set_scheduling_strategy((i + k) % 2 == 0 ? other : nullptr);
        }
      });
    }
    for (auto & thread : threads) thread.join();
  }
  EXPECT_TRUE(jobs_.wait_for_at_least(3));
  stop();
}

// The file names a task of a node that has been removed.
TEST_F(StrategyChangesTest, OtherNodesMayComeWhereTheFileNamesOneThatHasGone) {
  const auto node = make_node("a");
  const auto timer = node->create_wall_timer(2ms, [&] { jobs_.add(1); });
  executor_->add_node(node);
  executor_->load_strategy(write(R"(default: s
scenarios: {s: {tasks: {"a/timer:2ms": {priority: 10}}}}
)"));
  start();
  ASSERT_TRUE(jobs_.wait_for_at_least(3));
  executor_->remove_node(node);
  const auto other = make_node("b");
  Watched<int> others;
  const auto of_other = other->create_wall_timer(3ms, [&] { others.add(1); });
  executor_->add_node(other);
  EXPECT_TRUE(others.wait_for_at_least(3)) << ::testing::PrintToString(log());
  stop();
  EXPECT_THAT(log(), ::testing::Contains(HasSubstr("there is no such task")));
}

// A new node does not take away the timing of an existing task.
TEST_F(StrategyChangesTest, ANodeThatMakesANameAmbiguousDoesNotRun) {
  const auto a = make_node("a");
  const auto timer_of_a = a->create_wall_timer(2ms, [&] { jobs_.add(1); });
  executor_->add_node(a);
  executor_->load_strategy(write(R"(default: s
scenarios: {s: {tasks: {"timer:2ms": {priority: 10}}}}
)"));
  start();
  ASSERT_TRUE(jobs_.wait_for_at_least(3));
  const auto b = make_node("b");
  const auto timer_of_b = b->create_wall_timer(2ms, [] {});
  executor_->add_node(b);
  const auto refusals = [this] {
    const auto lines = log();
    return std::count_if(lines.begin(), lines.end(), [](const std::string & line) {
      return line.find("node 'b' does not run: ") != line.npos &&
             line.find("say which of a/timer:2ms, b/timer:2ms") != line.npos;
    });
  };
  EXPECT_TRUE(testing::eventually([&] { return refusals() > 0; }))
      << ::testing::PrintToString(log());
  EXPECT_FALSE(has("b/timer:2ms"));
  // Adding and removing other nodes is no reason to report the refusal again.
  const auto c = make_node("c");
  executor_->add_node(c);
  EXPECT_TRUE(testing::eventually([&] { return has("c/parameter_events"); }));
  EXPECT_EQ(refusals(), 1);
  stop();
}

TEST_F(StrategyChangesTest, AFileThatNamesARefusedNodeLetsItIn) {
  for (const bool named : {false, true}) {
    const auto a = make_node("a");
    const auto timer_of_a = a->create_wall_timer(2ms, [] {});
    executor_->add_node(a);
    executor_->load_strategy(write(R"(default: s
scenarios: {s: {tasks: {"timer:2ms": {priority: 10}}}}
)"));
    {
      const std::lock_guard lock(log_mutex_);
      log_.clear();
    }
    start();
    ASSERT_TRUE(testing::eventually([&] { return executor_->processor().spinning(); }));
    const auto b = make_node("b");
    Watched<int> calls;
    const auto timer_of_b = b->create_wall_timer(2ms, [&] { calls.add(1); });
    executor_->add_node(b);
    ASSERT_TRUE(testing::eventually([&] {
      return ::testing::Value(log(), ::testing::Contains(HasSubstr("node 'b' does not run")));
    }));
    executor_->load_strategy(write(named ? R"(default: s
scenarios: {s: {tasks: {"a/timer:2ms": {priority: 10}, "b/timer:2ms": {priority: 9}}}}
)"
                                         : R"(default: s
scenarios: {s: {tasks: {"a/timer:2ms": {priority: 10}}}}
)"));
    EXPECT_TRUE(calls.wait_for_at_least(3)) << ::testing::PrintToString(log());
    EXPECT_THAT(log(), ::testing::Not(::testing::Contains(HasSubstr("no such task"))));
    stop();
    executor_->set_scheduling_strategy(nullptr);
    for (const auto & node : {a, b}) executor_->remove_node(node);
  }
}

TEST_F(StrategyChangesTest, OfSeveralRefusedNodesThoseThatFitAreLetIn) {
  const auto a = make_node("a");
  const auto timer_of_a = a->create_wall_timer(2ms, [] {});
  executor_->add_node(a);
  executor_->load_strategy(write(R"(default: s
scenarios: {s: {tasks: {"timer:2ms": {priority: 10}, "timer:3ms": {priority: 9, optional: true}}}}
)"));
  start();
  ASSERT_TRUE(testing::eventually([&] { return executor_->processor().spinning(); }));
  std::vector<::rclcpp::Node::SharedPtr> nodes;
  std::vector<::rclcpp::TimerBase::SharedPtr> timers;
  Watched<int> calls;
  for (const char * name : {"b", "c", "d"}) {
    nodes.push_back(make_node(name));
    timers.push_back(nodes.back()->create_wall_timer(2ms, [&] { calls.add(1); }));
    executor_->add_node(nodes.back());
    const std::string line = "node '" + std::string(name) + "' does not run";
    EXPECT_TRUE(testing::eventually([&] {
      return ::testing::Value(log(), ::testing::Contains(HasSubstr(line)));
    })) << name;
  }
  // A second task `timer:3ms` makes that name ambiguous, so d is still refused.
  timers.push_back(a->create_wall_timer(3ms, [] {}));
  timers.push_back(nodes.back()->create_wall_timer(3ms, [] {}));
  ASSERT_TRUE(testing::eventually([&] { return has("a/timer:3ms"); }));
  executor_->load_strategy(write(R"(default: s
scenarios:
  s:
    tasks:
      a/timer:2ms: {priority: 10}
      b/timer:2ms: {priority: 8}
      c/timer:2ms: {priority: 7}
      timer:3ms: {priority: 9}
)"));
  EXPECT_TRUE(testing::eventually([&] { return has("b/timer:2ms") && has("c/timer:2ms"); }))
      << ::testing::PrintToString(log());
  EXPECT_TRUE(calls.wait_for_at_least(3));
  EXPECT_FALSE(has("d/timer:2ms"));
  EXPECT_THAT(log(), ::testing::Not(::testing::Contains(HasSubstr("no such task"))));
  stop();
}

TEST_F(StrategyChangesTest, TwoNodesOfOneNameCannotBeToldApart) {
  const auto a = make_node("a");
  const auto other = make_node("a");
  const auto timer = a->create_wall_timer(2ms, [] {});
  const auto of_other = other->create_wall_timer(2ms, [] {});
  for (const auto & node : {a, other}) executor_->add_node(node);
  for (const char * name : {"a/timer:2ms", "timer:2ms"}) {
    const std::string file = write("default: s\nscenarios: {s: {tasks: {\"" + std::string(name) +
                                   "\": {priority: 1}}}}\n");
    EXPECT_THAT(error_of([&] { executor_->load_strategy(file); }),
                HasSubstr("several nodes are called 'a': give each a name of its own"));
  }
}

TEST_F(StrategyChangesTest, NodesThatItNamesMayGoAndComeBack) {
  const auto a = make_node("a");
  const auto b = make_node("b");
  Watched<int> of_a;
  Watched<int> of_b;
  const auto timer_of_a = a->create_wall_timer(2ms, [&] { of_a.add(1); });
  const auto timer_of_b = b->create_wall_timer(3ms, [&] { of_b.add(1); });
  executor_->add_node(a);
  executor_->add_node(b);
  executor_->load_strategy(write(R"(default: s
scenarios: {s: {tasks: {"a/timer:2ms": {priority: 20}, "b/timer:3ms": {priority: 10}}}}
)"));
  start();
  ASSERT_TRUE(of_b.wait_for_at_least(1));
  executor_->remove_node(b);
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(of_a.wait_for_at_least(of_a.get() + 3)) << i << ::testing::PrintToString(log());
    executor_->add_node(b);
    EXPECT_TRUE(of_b.wait_for_at_least(of_b.get() + 3)) << i << ::testing::PrintToString(log());
    for (const auto & node : {a, b}) executor_->remove_node(node);
    ASSERT_TRUE(testing::eventually([&] { return !has("a/timer:2ms") && !has("b/timer:3ms"); }));
    executor_->add_node(a);
  }
  stop();
}

TEST_F(StrategyChangesTest, ATimerMayBeCalledMoreOftenThanByItsOwnPeriod) {
  const std::string file = write(R"(default: s
scenarios: {s: {tasks: {"a/timer:200ms": {period: 2ms}}}}
)");
  for (const bool steady : {true, false}) {
    const auto node = make_node("a");
    const auto count = [&](const ::rclcpp::TimerInfo & info) {
      if (steady) {
        EXPECT_LE(info.expected_call_time, info.actual_call_time);
      }
      jobs_.add(1);
    };
    ::rclcpp::TimerBase::SharedPtr timer = node->create_wall_timer(200ms, count);
    if (!steady) timer = node->create_timer(200ms, count);
    executor_->add_node(node);
    executor_->load_strategy(file);
    for (int i = 0; i < 2; ++i) {
      start();
      EXPECT_TRUE(jobs_.wait_for_at_least(jobs_.get() + 50)) << i;
      stop();
      // To rclcpp's other ways to spin, the timer appears unchanged, or called once more.
      EXPECT_LE(timer->time_until_trigger(), 400ms);
    }
    executor_->set_scheduling_strategy(nullptr);
    executor_->remove_node(node);
  }
}

// A watchdog that is reset at intervals shorter than its period in the scenario.
TEST_F(StrategyChangesTest, ATimerIsResetForThePeriodOfTheScenario) {
  const auto node = make_node("a");
  const auto watchdog = node->create_wall_timer(3ms, [&] { jobs_.add(1); });
  Watched<int> resets;
  const auto feeds = node->create_wall_timer(10ms, [&] {
    watchdog->reset();
    resets.add(1);
  });
  executor_->add_node(node);
  executor_->load_strategy(write(R"(default: s
scenarios: {s: {tasks: {"a/timer:3ms": {period: 10s}}}}
)"));
  start();
  ASSERT_TRUE(resets.wait_for_at_least(1));
  const int before = jobs_.get();
  ASSERT_TRUE(resets.wait_for_at_least(5));
  EXPECT_EQ(jobs_.get(), before);
  stop();
}

TEST_F(StrategyChangesTest, ATimerIsResetForThePeriodOfAScenarioThatGivesItAPhase) {
  constexpr std::int64_t period = 20'000'000;
  const auto node = make_node("a");
  ::rclcpp::Clock steady(RCL_STEADY_TIME);
  std::int64_t reset = 0;
  bool cancels = false;
  const auto watchdog = node->create_wall_timer(3ms, [&](const ::rclcpp::TimerInfo & info) {
    // If the host stalls the timer may be called, but not within one period of a reset.
    if (reset > 0) {
      EXPECT_GE(info.expected_call_time.nanoseconds(), reset + period) << cancels;
    }
  });
  Watched<int> resets;
  // In the same group as the watchdog, so never during a job of it.
  const auto feeds = node->create_wall_timer(7ms, [&] {
    reset = steady.now().nanoseconds();
    cancels = resets.get() >= 30;
    if (cancels) watchdog->cancel();
    watchdog->reset();
    resets.add(1);
  });
  executor_->add_node(node);
  executor_->load_strategy(write(R"(default: s
scenarios: {s: {tasks: {"a/timer:3ms": {period: 20ms, phase: 1ms}}}}
)"));
  start();
  EXPECT_TRUE(resets.wait_for_at_least(60));
  stop();
}

TEST_F(StrategyChangesTest, AFileFitsToANodeThatWasAddedJustBefore) {
  start();
  ASSERT_TRUE(testing::eventually([&] { return executor_->processor().spinning(); }));
  std::vector<::rclcpp::TimerBase::SharedPtr> timers;
  for (int i = 0; i < 20; ++i) {
    const std::string name = "a" + std::to_string(i);
    const auto strategy = takt::load_strategy(
        write("default: s\nscenarios: {s: {tasks: {" + name + "/timer:20ms: {priority: 7}}}}\n"));
    const auto node = make_node(name);
    timers.push_back(node->create_wall_timer(20ms, [&] { jobs_.add(1); }));
    executor_->add_node(node);
    EXPECT_EQ(error_of([&] { executor_->set_scheduling_strategy(strategy); }), "") << i;
  }
  stop();
}

}  // namespace
}  // namespace takt::rclcpp
