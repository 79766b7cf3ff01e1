// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/tasks/strategy_plan.hpp"

#include <gmock/gmock.h>

#include <memory>
#include <std_msgs/msg/u_int64.hpp>
#include <string>

#include "takt/node.hpp"
#include "testing/background.hpp"

namespace takt {
namespace {

using namespace std::chrono_literals;
using tasks::given;
using tasks::GivenStrategy;
using tasks::plan_strategies;
using tasks::StrategyPlan;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;
using Message = std_msgs::msg::UInt64;

constexpr std::int64_t ms = 1'000'000;

/// Node a has the timers fast and slow, and a subscription `news` that fast reads and that also has
/// jobs of its own. Node b publishes `news`, serves `ask` and has a timer, too.
class StrategyPlanTest : public ::testing::Test {
 protected:
  StrategyPlanTest() {
    news_ = a_->create_subscription<Message>("news", 1, nothing, {.triggers = true});
    read_ = a_->create_subscription<Message>("read", 1, nothing);
    fast_ = a_->create_timer("fast", 10ms, {.priority = 20, .reads = {{news_}, {read_}}}, [] {});
    slow_ = a_->create_timer("slow", 50ms, {.priority = 10, .deadline = 30ms}, [] {});
    publisher_ = b_->create_publisher<Message>("news", 1);
    tick_ = b_->create_timer("tick", 20ms, [] {});
  }

  static void nothing(const Message &) {}

  /// A strategy of one scenario, its default, with one task.
  static GivenStrategy one(const std::string & task, const TaskTiming & timing) {
    const auto strategy = std::make_shared<SchedulingStrategy>();
    SchedulingScenario scenario("s");
    scenario.set_task(task, timing);
    strategy->add_scenario(scenario);
    strategy->set_default_scenario("s");
    return given(strategy);
  }

  StrategyPlan plan(const GivenStrategy & of_executor, const GivenStrategy & of_a = {},
                    const GivenStrategy & of_b = {}) const {
    return plan_strategies(of_executor, {{a_->base(), of_a, a_->base()->callbacks()},
                                         {b_->base(), of_b, b_->base()->callbacks()}});
  }
  std::vector<std::string> problems(const std::string & task, const TaskTiming & timing) const {
    return plan(one(task, timing)).problems;
  }

  std::shared_ptr<Context> context_ = testing::make_context();
  std::shared_ptr<Node> a_ = std::make_shared<Node>("a", NodeOptions{.context = context_});
  std::shared_ptr<Node> b_ = std::make_shared<Node>("b", NodeOptions{.context = context_});
  std::shared_ptr<Subscription<Message>> news_;
  std::shared_ptr<Subscription<Message>> read_;
  std::shared_ptr<Publisher<Message>> publisher_;
  std::shared_ptr<Timer> fast_;
  std::shared_ptr<Timer> slow_;
  std::shared_ptr<Timer> tick_;
};

TEST_F(StrategyPlanTest, GivesATaskWhatTheScenarioSays) {
  const StrategyPlan made = plan(one(
      "slow", {.period = 40ms, .phase = 3ms, .deadline = 20ms, .priority = 30, .suspended = true}));
  EXPECT_THAT(made.problems, IsEmpty());
  EXPECT_EQ(made.default_scenario, "s");
  ASSERT_EQ(made.scenarios.size(), 1u);
  ASSERT_EQ(made.scenarios[0].timings.size(), 1u);
  const model::Timing & timing = made.scenarios[0].timings.at(slow_.get());
  EXPECT_EQ(timing.period, 40 * ms);
  EXPECT_EQ(timing.phase, 3 * ms);
  EXPECT_EQ(timing.deadline, 20 * ms);
  EXPECT_EQ(timing.priority, 30);
  EXPECT_TRUE(timing.suspended);
  EXPECT_FALSE(made.scenarios[0].policy);
}

TEST_F(StrategyPlanTest, ASubscriptionRanksWithItsReadersInEveryScenario) {
  // Derived from the timing of the timer that reads it.
  StrategyPlan made = plan(one("fast", {.period = 5ms, .priority = 90}));
  EXPECT_THAT(made.problems, IsEmpty());
  model::Timing news = made.scenarios[0].timings.at(news_.get());
  EXPECT_EQ(news.priority, 90);
  EXPECT_EQ(news.rank_period, 5 * ms);
  EXPECT_EQ(news.deadline, 5 * ms);
  EXPECT_FALSE(news.period);
  // A subscription that is only read has no jobs of its own.
  EXPECT_FALSE(made.scenarios[0].timings.contains(read_.get()));
  // Derived from a timer that subscribes to it only in the scenario.
  made = plan(one("slow", {.priority = 91, .subscribes = "news"}));
  news = made.scenarios[0].timings.at(news_.get());
  EXPECT_EQ(news.priority, 91);
  EXPECT_EQ(news.rank_period, 10 * ms);
  // Unless the scenario gives the subscription its own timing.
  made = plan(one("news", {.min_interval = 7ms, .deadline = Duration::max(), .priority = 3}));
  news = made.scenarios[0].timings.at(news_.get());
  EXPECT_EQ(news.priority, 3);
  EXPECT_EQ(news.period, 7 * ms);
  EXPECT_EQ(news.deadline, model::never);
}

TEST_F(StrategyPlanTest, OnSimulatedTimeAPeriodIsARank) {
  const auto timer = b_->create_timer("sim", 20ms, {.clock = ClockType::ros}, [] {});
  b_->set_parameter(Parameter("use_sim_time", true));
  ASSERT_TRUE(b_->get_clock()->ros_time_is_active());
  const StrategyPlan made = plan(one("sim", {.period = 8ms, .phase = 1ms}));
  EXPECT_THAT(made.problems, IsEmpty());
  const model::Timing & timing = made.scenarios[0].timings.at(timer.get());
  EXPECT_FALSE(timing.period);
  EXPECT_FALSE(timing.phase);
  EXPECT_EQ(timing.rank_period, 8 * ms);
  EXPECT_EQ(timing.deadline, 8 * ms);
}

TEST_F(StrategyPlanTest, SaysWhatIsWrongWithATask) {
  EXPECT_THAT(problems("a/fats", {}),
              ElementsAre("scenario 's': task 'a/fats': there is no such task; there are a/fast, "
                          "a/news, a/read, a/slow, b/tick"));
  EXPECT_THAT(problems("a/fats", {.optional = true}), IsEmpty());
  EXPECT_THAT(problems("slow", {.subscribes = {"news", "olds"}}),
              ElementsAre(HasSubstr("subscribes: node 'a' does not subscribe to '/olds'; it "
                                    "subscribes to /news, /read")));
  EXPECT_THAT(
      problems("b/tick", {.publishes = "olds"}),
      ElementsAre(HasSubstr("publishes: node 'b' does not publish '/olds'; it publishes ")));
  EXPECT_THAT(problems("b/tick", {.publishes = "/news"}), IsEmpty());
  EXPECT_THAT(problems("a/slow", {.publishes = "news"}),
              ElementsAre(HasSubstr("does not publish")));
  EXPECT_THAT(problems("slow", {.subscribes = "a b"}), ElementsAre(HasSubstr("cannot resolve")));
  EXPECT_THAT(problems("news", {.period = 1ms}), ElementsAre(HasSubstr("is no timer")));
  EXPECT_THAT(problems("slow", {.min_interval = 1ms}), ElementsAre(HasSubstr("is a timer")));
  EXPECT_THAT(problems("read", {.priority = 1}), ElementsAre(HasSubstr("no jobs of its own")));
  // The timer's own deadline is longer than the new period.
  EXPECT_THAT(problems("slow", {.period = 20ms}), ElementsAre(HasSubstr("beyond the period")));
  const auto strategy = std::make_shared<SchedulingStrategy>();
  SchedulingScenario scenario("s");
  scenario.add_timer("news", 5, 50);
  scenario.set_task("slow", {.priority = 1});
  scenario.set_task("a/slow", {.priority = 2});
  scenario.set_task("nobody", {});
  strategy->add_scenario(scenario);
  EXPECT_THAT(
      plan(given(strategy)).problems,
      ElementsAre(HasSubstr("'news': is no timer: use set_task"),
                  HasSubstr("'a/slow' already: scenario 's': task 'slow'"),
                  HasSubstr("'nobody': there is no such task"), HasSubstr("no default scenario")));
}

TEST_F(StrategyPlanTest, WhatIsWrongIsLeftOut) {
  const StrategyPlan made = plan(one("a/fats", {.priority = 1}));
  ASSERT_EQ(made.scenarios.size(), 1u);
  EXPECT_TRUE(made.scenarios[0].timings.empty());
  EXPECT_TRUE(plan({}).empty());
  EXPECT_THAT(plan({}).problems, IsEmpty());
}

TEST_F(StrategyPlanTest, ThoseOfNodesAddToTheExecutors) {
  const auto strategy = std::make_shared<SchedulingStrategy>();
  SchedulingScenario s("s");
  s.set_scheduling_policy(edf_policy);
  SchedulingScenario t("t");
  t.set_task("slow", {.priority = 7});
  strategy->add_scenario(s);
  strategy->add_scenario(t);
  const StrategyPlan made =
      plan(one("tick", {.priority = 5}), given(strategy), one("tick", {.phase = 1ms}));
  // Node b's strategy gives timing to a task to which the executor's strategy already does.
  EXPECT_THAT(made.problems, ElementsAre(HasSubstr("another entry sets 'b/tick' already")));
  ASSERT_EQ(made.scenarios.size(), 2u);
  EXPECT_EQ(made.scenarios[0].policy->name(), "edf");
  EXPECT_EQ(made.scenarios[0].timings.at(tick_.get()).priority, 5);
  EXPECT_EQ(made.scenarios[1].name, "t");
  EXPECT_EQ(made.scenarios[1].timings.at(slow_.get()).priority, 7);
  EXPECT_EQ(made.default_scenario, "s");
}

TEST_F(StrategyPlanTest, OneGivenToSeveralIsOne) {
  const GivenStrategy shared = one("tick", {.priority = 5});
  EXPECT_THAT(plan(shared, shared, shared).problems, IsEmpty());
  EXPECT_THAT(plan({}, shared, shared).problems, IsEmpty());
  EXPECT_THAT(plan({}, {}, shared).problems, IsEmpty());
  EXPECT_EQ(plan(shared, shared, shared).strategies.size(), 1u);
  // A strategy may name only tasks of nodes to which it was given.
  EXPECT_THAT(plan({}, shared, {}).problems,
              ElementsAre(HasSubstr("; 'b/tick' is of a node that the strategy was not given to")));
}

TEST_F(StrategyPlanTest, SaysWhereStrategiesContradictEachOther) {
  const auto other = [](const SchedulingPolicy & policy, const char * first) {
    const auto strategy = std::make_shared<SchedulingStrategy>();
    for (const char * name : {"s", "t"}) {
      SchedulingScenario scenario(name);
      scenario.set_scheduling_policy(policy);
      strategy->add_scenario(scenario);
    }
    strategy->set_default_scenario(first);
    return given(strategy);
  };
  EXPECT_THAT(plan(one("tick", {}), other(edf_policy, "t")).problems,
              ElementsAre(StartsWith("the strategy of node 'a' has the default scenario 't'")));
  EXPECT_THAT(plan(other(edf_policy, "s"), other(edf_policy, "")).problems, IsEmpty());
  EXPECT_THAT(plan(other(edf_policy, "s"), other(np_edf_policy, "s")).problems,
              ElementsAre(StartsWith("scenario 's': the strategy of node 'a' gives it another"),
                          StartsWith("scenario 't': ")));
}

}  // namespace
}  // namespace takt
