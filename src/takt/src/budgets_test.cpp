// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// Budgets, overruns and their handlers in the front end.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>

#include "takt/node.hpp"
#include "takt/scheduling_executor.hpp"
#include "takt_core/os/clock.hpp"
#include "takt_core/tasks/testing/error_of.hpp"
#include "testing/background.hpp"
#include "testing/burn.hpp"
#include "testing/seen.hpp"

namespace takt {
namespace {

using namespace std::chrono_literals;
using testing::burn;
using testing::error_of;
using ::testing::HasSubstr;
using testing::Seen;

class BudgetsTest : public ::testing::Test {
 protected:
  ~BudgetsTest() override { stop(); }

  CallbackGroup::SharedPtr own_group() {
    return node_->create_callback_group(CallbackGroupType::mutually_exclusive);
  }
  void start() {
    executor_.add_node(node_);
    thread_ = std::thread([this] { executor_.spin(); });
  }
  void stop() {
    if (!thread_.joinable()) return;
    executor_.cancel();
    thread_.join();
  }
  bool preempts() const { return executor_.grants().policy_in_use == "fp"; }

  std::shared_ptr<Context> context_ = testing::make_context();
  std::shared_ptr<Node> node_ = std::make_shared<Node>("node", NodeOptions{.context = context_});
  SchedulingExecutor executor_{{.policy = "fp", .lock_memory = false, .context = context_}};
  std::thread thread_;
};

TEST_F(BudgetsTest, AGreedyJobGoesOnInTheBackground) {
  std::atomic<int> ticks = 0;
  std::atomic<bool> may_preempt = false;
  Seen<int> during;
  const auto tick = node_->create_timer("tick", 1ms, {.priority = 20}, [&] { ++ticks; });
  // More urgent than `tick`, which would get no CPU time if this job did not go to the background.
  const auto greedy = node_->create_timer(
      "greedy", 5ms,
      {.priority = 50, .budget = 1ms, .on_budget = OnBudget::background, .group = own_group()},
      [&] {
        const int before = ticks;
        const model::Time end = os::now() + 5'000'000'000;
        if (may_preempt) {
          while (ticks < before + 3 && os::now() < end) {
          }
        } else {
          burn(2ms);
        }
        during.add(ticks - before);
      });
  Seen<Exhaustion> told;
  executor_.on_exhausted_budget([&](const Exhaustion & what, const std::string & callback) {
    EXPECT_EQ(callback, "node/greedy");
    told.add(what);
  });
  start();
  ASSERT_TRUE(testing::eventually([this] { return executor_.spinning(); }));
  may_preempt = preempts();
  during.wait_for(5);
  const Exhaustion what = told.wait_for(1).at(0);
  stop();
  EXPECT_GE(what.used, 1'000'000);
  const TaskCounters counters = executor_.counters("node/greedy");
  EXPECT_GE(counters.exhausted, 4u);
  if (may_preempt) {
    EXPECT_GE(during.wait_for(5).at(4), 3);
    EXPECT_GE(counters.lowered, 4u);
  } else {
    EXPECT_EQ(counters.lowered, 0u);
  }
  EXPECT_EQ(executor_.statistics().loads.exhausted, counters.exhausted);
}

TEST_F(BudgetsTest, TheBackgroundNeedsAGroupOfItsOwn) {
  executor_.add_node(node_);
  const auto make = [this](const CallbackGroup::SharedPtr & group) {
    return error_of([&] {
      node_->create_timer(
          "greedy", 1s, {.budget = 1ms, .on_budget = OnBudget::background, .group = group}, [] {});
    });
  };
  EXPECT_THAT(make(nullptr), HasSubstr("'node/greedy' may go on in the background"));
  EXPECT_EQ(make(own_group()), "");
  EXPECT_EQ(make(node_->create_callback_group(CallbackGroupType::reentrant)), "");
}

TEST_F(BudgetsTest, OutOfRangeTheyAreRefused) {
  const auto timer = [this](Duration budget) {
    return error_of([&] { node_->create_timer("a", 1s, {.budget = budget}, [] {}); });
  };
  EXPECT_EQ(timer(1ns), "");
  EXPECT_THAT(timer(-1ms), HasSubstr("budget must be above 0"));
}

TEST_F(BudgetsTest, AScenarioGivesAndTakesThem) {
  SchedulingScenario generous("generous");
  SchedulingScenario strict("strict");
  strict.set_task("greedy", {.budget = 1ms});
  const auto strategy = std::make_shared<SchedulingStrategy>();
  strategy->add_scenario(generous);
  strategy->add_scenario(strict);
  strategy->set_default_scenario("generous");
  const auto greedy = node_->create_timer("greedy", 5ms, [] { burn(2ms); });
  node_->set_scheduling_strategy(strategy);
  start();
  ASSERT_TRUE(testing::eventually([this] { return executor_.statistics().jobs > 5; }));
  EXPECT_EQ(executor_.statistics().loads.exhausted, 0u);
  executor_.request_scenario("strict");
  EXPECT_TRUE(testing::eventually([this] { return executor_.statistics().loads.exhausted > 5; }));
}

TEST_F(BudgetsTest, AHandlerOfOverrunsAsksForAnotherScenario) {
  SchedulingScenario normal("normal");
  SchedulingScenario relaxed("relaxed");
  relaxed.set_task("work", {.period = 50ms});
  const auto strategy = std::make_shared<SchedulingStrategy>();
  strategy->add_scenario(normal);
  strategy->add_scenario(relaxed);
  strategy->set_default_scenario("normal");
  Seen<std::uint64_t> calm;
  const auto work = node_->create_timer("work", 5ms, {.queue = 1}, [&](const JobInfo &) {
    if (executor_.scenario() == "relaxed") {
      calm.add(executor_.statistics().loads.overruns);
    } else {
      burn(6ms);
    }
  });
  node_->set_scheduling_strategy(strategy);
  Seen<Overrun> told;
  executor_.on_overrun([&](const Overrun & overrun, const std::string & callback) {
    EXPECT_EQ(callback, "node/work");
    EXPECT_GE(overrun.count, 1u);
    executor_.request_scenario("relaxed");
    told.add(overrun);
  });
  start();
  EXPECT_FALSE(told.wait_for(1).empty());
  EXPECT_FALSE(calm.wait_for(3).empty());
  EXPECT_EQ(executor_.scenario(), "relaxed");
  stop();
}

TEST_F(BudgetsTest, HandlersMayBeGivenWithTheOptionsAndExchanged) {
  Seen<std::string> told;
  const auto note = [&told](const char * who) {
    return [&told, who](const auto &, const std::string & callback) {
      EXPECT_EQ(callback, "node/late");
      told.add(who);
    };
  };
  SchedulingExecutor executor({.policy = "rm",
                               .lock_memory = false,
                               .on_deadline_miss = note("miss"),
                               .on_overrun = note("overrun"),
                               .on_exhausted_budget = note("budget"),
                               .context = context_});
  const auto late =
      node_->create_timer("late", 5ms, {.deadline = 1ms, .budget = 2ms}, [] { burn(6ms); });
  executor.add_node(node_);
  std::thread thread([&] { executor.spin(); });
  for (const char * who : {"miss", "overrun", "budget"}) EXPECT_TRUE(told.wait_for_value(who));
  executor.on_deadline_miss(nullptr);
  executor.on_overrun(nullptr);
  executor.on_exhausted_budget(note("another"));
  EXPECT_TRUE(told.wait_for_value("another"));
  executor.cancel();
  thread.join();
}

}  // namespace
}  // namespace takt
