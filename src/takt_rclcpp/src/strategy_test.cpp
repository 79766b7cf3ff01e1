// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// Timing of nodes that do not depend on takt, by strategy files and by set_task().
#include <gmock/gmock.h>

#include "takt_core/tasks/testing/error_of.hpp"
#include "testing/strategy_files.hpp"

namespace takt::rclcpp {
namespace {

using namespace std::chrono_literals;
using takt::testing::error_of;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;
using testing::Watched;

class StrategyTest : public testing::StrategyFileTest {
 protected:
  void note(char what) {
    const std::lock_guard lock(mutex_);
    if (order_.size() < 200) order_ += what;
    jobs_.add(1);
  }
  std::string order() {
    const std::lock_guard lock(mutex_);
    return order_;
  }

 private:
  std::mutex mutex_;
  std::string order_;
};

TEST_F(StrategyTest, PrioritiesOrderTimersThatAreDueAtOnce) {
  const auto node = make_node("a");
  const auto low = node->create_wall_timer(5ms, [&] { note('l'); });
  const auto high = node->create_wall_timer(5ms, [&] { note('h'); });
  executor_->add_node(node);
  executor_->set_task(low, {.priority = 10, .phase = 0ms});
  executor_->set_task(high, {.priority = 20, .phase = 0ms});
  start();
  ASSERT_TRUE(jobs_.wait_for_at_least(12));
  stop();
  EXPECT_THAT(order(), StartsWith("hlhlhlhlhl"));
}

TEST_F(StrategyTest, TheNamesToWriteAreThereBeforeItSpins) {
  const auto node = make_node("a");
  const auto group = node->create_callback_group(::rclcpp::CallbackGroupType::MutuallyExclusive);
  executor_->add_node(node);
  const auto first = node->create_wall_timer(20ms, [] {});
  const auto second = node->create_wall_timer(20ms, [] {}, group);
  std::vector<std::string> names;
  for (const auto & [number, name] : executor_->tasks()) names.push_back(name);
  EXPECT_THAT(names, ::testing::IsSupersetOf({"a/timer:20ms", "a/timer:20ms#2"}));
}

TEST_F(StrategyTest, AFileGivesTimingToNodesThatKnowNothingOfIt) {
  const auto node = make_node("a");
  const auto low = node->create_wall_timer(20ms, [&] { note('l'); });
  const auto high = node->create_wall_timer(20ms, [&] { note('h'); });
  executor_->add_node(node);
  executor_->set_task(low, {.phase = 0ms});
  executor_->set_task(high, {.phase = 0ms});
  executor_->load_strategy(write(R"(default: normal
scenarios:
  normal:
    tasks:
      a/timer:20ms#1: {priority: 10, deadline: 10ms}
      a/timer:20ms#2: {priority: 20}
)"));
  start();
  ASSERT_TRUE(jobs_.wait_for_at_least(8));
  EXPECT_EQ(executor_->scenario(), "normal");
  stop();
  EXPECT_THAT(order(), StartsWith("hlhlhl"));
}

TEST_F(StrategyTest, APhaseInAFileIsOnTheExecutorsGrid) {
  const auto node = make_node("a");
  // On grids of their own, the timers would be called in the order of their creation.
  const auto a = node->create_wall_timer(20ms, [&] { note('a'); });
  const auto c = node->create_wall_timer(20ms, [&] { note('c'); });
  const auto b = node->create_wall_timer(20ms, [&] { note('b'); });
  executor_->add_node(node);
  executor_->load_strategy(write(R"(default: s
scenarios:
  s:
    tasks:
      a/timer:20ms#1: {phase: 0ms}
      a/timer:20ms#2: {phase: 12ms}
      a/timer:20ms#3: {phase: 6ms}
)"));
  start();
  ASSERT_TRUE(jobs_.wait_for_at_least(9));
  EXPECT_THAT(order(), HasSubstr("abcabc"));
  // A canceled timer has no releases on this grid either, and continues after reset().
  b->cancel();
  const std::size_t until = order().size() + 6;
  ASSERT_TRUE(testing::eventually([&] { return order().size() >= until; }));
  EXPECT_THAT(order().substr(until - 4), ::testing::Not(HasSubstr("b")));
  b->reset();
  EXPECT_TRUE(
      testing::eventually([&] { return order().find("abcabc", until) != std::string::npos; }));
  stop();
}

TEST_F(StrategyTest, WhatANodePublishesIsKnownAtOnce) {
  for (int i = 0; i < 20; ++i) {
    const std::string name = "a" + std::to_string(i);
    const auto node = make_node(name);
    const auto timer = node->create_wall_timer(20ms, [] {});
    executor_->add_node(node);
    const std::string file = write("default: s\nscenarios: {s: {tasks: {\"" + name +
                                   "/timer:20ms\": {publishes: [news]}}}}\n");
    EXPECT_THAT(error_of([&] { executor_->load_strategy(file); }),
                HasSubstr("does not publish '/news'"));
    const auto publisher = node->create_publisher<Message>("news", 1);
    EXPECT_THAT(error_of([&] { executor_->load_strategy(file); }), IsEmpty());
    executor_->set_scheduling_strategy(nullptr);
    executor_->remove_node(node);
  }
}

TEST_F(StrategyTest, OnlyATimerOnSteadyTimeHasAPhase) {
  const auto node = make_node("a");
  const auto timer = ::rclcpp::create_timer(node, node->get_clock(), 20ms, [] {});
  executor_->add_node(node);
  const std::string file = write(R"(default: s
scenarios: {s: {tasks: {"a/timer:20ms": {phase: 10ms}}}}
)");
  EXPECT_THAT(error_of([&] { executor_->load_strategy(file); }), HasSubstr("not steady"));
}

TEST_F(StrategyTest, ATimerThatCannotBeToldApartIsRefusedWithWhatToWrite) {
  const auto node = make_node("a");
  const auto first = node->create_wall_timer(20ms, [] {});
  const auto second = node->create_wall_timer(20ms, [] {});
  executor_->add_node(node);
  const std::string file = write(R"(default: s
scenarios: {s: {tasks: {"a/timer:20ms": {priority: 10}}}}
)");
  EXPECT_THAT(error_of([&] { executor_->load_strategy(file); }),
              HasSubstr("write a/timer:20ms#1 or a/timer:20ms#2"));
  // The previous state remains: no strategy.
  EXPECT_EQ(executor_->scenario(), "");
}

TEST_F(StrategyTest, WhatNamesNothingIsRefused) {
  executor_->add_node(make_node("a"));
  const std::string file = write(R"(default: s
scenarios: {s: {tasks: {"a/nothing": {priority: 10}}}}
)");
  const auto node = make_node("b");
  executor_->add_node(node);
  EXPECT_THAT(error_of([&] { executor_->load_strategy(file); }), HasSubstr("no such task"));
}

TEST_F(StrategyTest, WhatDoesNotFitToTheEntityIsRefused) {
  const auto node = make_node("a");
  const auto timer = node->create_wall_timer(20ms, [] {});
  const auto subscription = node->create_subscription<Message>("news", 1, [](const Message &) {});
  executor_->add_node(node);
  const auto set = [&](const auto & entity, const TaskOptions & options) {
    return error_of([&] { executor_->set_task(entity, options); });
  };
  EXPECT_THAT(set(timer, {.priority = 99}), HasSubstr("priority"));
  EXPECT_THAT(set(timer, {.deadline = 30ms}), HasSubstr("beyond the period"));
  EXPECT_THAT(set(timer, {.phase = -1ms}), HasSubstr("phase is negative"));
  EXPECT_THAT(set(timer, {.min_interval = 1ms}), HasSubstr("not a min_interval"));
  EXPECT_THAT(set(timer, {.triggers = true}), HasSubstr("only a subscription"));
  EXPECT_THAT(set(subscription, {.phase = 1ms}), HasSubstr("only a timer"));
  EXPECT_THAT(set(subscription, {.reads = {{subscription}}}), HasSubstr("only a timer"));
  EXPECT_THAT(set(::rclcpp::TimerBase::SharedPtr(), {}), HasSubstr("nullptr"));
  EXPECT_THAT(set(timer, {.priority = 98, .deadline = 5ms}), IsEmpty());
}

}  // namespace
}  // namespace takt::rclcpp
