// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/tasks/strategy_plan.hpp"

#include <gmock/gmock.h>

#include <memory>
#include <string>
#include <vector>

#include "tasks/testing/plain_node.hpp"

namespace takt::tasks {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::make_timer;
using testing::PlainNode;

/// Counts how often it is asked for the topics that it publishes, which takes milliseconds for a
/// node of rclcpp.
class AskedNode : public PlainNode {
 public:
  using PlainNode::PlainNode;
  std::vector<std::string> published() const override {
    ++asked;
    return {"/scan"};
  }
  mutable int asked = 0;
};

class StrategyPlanTest : public ::testing::Test {
 protected:
  StrategyPlanTest() {
    for (int i = 0; i < 3; ++i) timers_.push_back(make_timer(node_, "t"));
  }

  StrategyPlan plan(const SchedulingScenario & scenario) const {
    const auto strategy = std::make_shared<SchedulingStrategy>();
    strategy->add_scenario(scenario);
    strategy->set_default_scenario(scenario.name());
    return plan_strategies(given(strategy), {{node_, {}, node_->callbacks()}});
  }

  std::shared_ptr<AskedNode> node_ = std::make_shared<AskedNode>("/n");
  std::vector<std::shared_ptr<Callback>> timers_;
};

TEST_F(StrategyPlanTest, WithoutTopicsNoNodeIsAskedForIts) {
  SchedulingScenario scenario("s");
  for (const char * name : {"t#1", "t#2", "t#3"}) scenario.set_task(name, {.priority = 7});
  const StrategyPlan plan = this->plan(scenario);
  EXPECT_THAT(plan.problems, IsEmpty());
  EXPECT_EQ(plan.scenarios.front().timings.size(), 3u);
  EXPECT_EQ(node_->asked, 0);
}

TEST_F(StrategyPlanTest, ANodeIsAskedForItsTopicsOnce) {
  SchedulingScenario scenario("s");
  scenario.set_task("t#1", {.publishes = {"scan"}});
  scenario.set_task("t#2", {.publishes = {"scan"}});
  scenario.set_task("t#3", {.publishes = {"scam"}});
  EXPECT_THAT(plan(scenario).problems,
              ElementsAre(HasSubstr("does not publish '/scam'; it publishes /scan")));
  EXPECT_EQ(node_->asked, 1);
}

TEST_F(StrategyPlanTest, OfManyMissingNamesTheFirstListThoseThatThereAre) {
  SchedulingScenario scenario("s");
  for (int i = 0; i < 100; ++i) scenario.set_task("gone" + std::to_string(i), {.priority = 7});
  const std::vector<std::string> problems = plan(scenario).problems;
  EXPECT_EQ(problems.size(), 100u);
  EXPECT_THAT(problems.front(), HasSubstr("there is no such task; there are n/t, n/t#2, n/t#3"));
  EXPECT_THAT(problems.back(), ::testing::EndsWith("there is no such task"));
}

TEST_F(StrategyPlanTest, ANumberThatIsFreeAgainIsGivenAgain) {
  node_->remove(*timers_[1]);
  timers_[1] = make_timer(node_, "t");
  const auto last = make_timer(node_, "t");
  const auto other = make_timer(node_, "t#");
  EXPECT_EQ(timers_[1]->id(), "n/t#2");
  EXPECT_EQ(last->id(), "n/t#4");
  EXPECT_EQ(other->id(), "n/t#");
}

}  // namespace
}  // namespace takt::tasks
