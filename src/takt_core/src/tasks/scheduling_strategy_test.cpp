// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/tasks/scheduling_strategy.hpp"

#include <gmock/gmock.h>

#include <memory>

#include "takt_core/tasks/testing/error_of.hpp"

namespace takt {
namespace {

using testing::error_of;
using ::testing::HasSubstr;

TEST(SchedulingStrategyTest, RefusesWhatCannotHold) {
  const auto strategy = std::make_shared<SchedulingStrategy>();
  EXPECT_THAT(error_of([&] { tasks::given(strategy); }), HasSubstr("has no scenario"));
  strategy->add_scenario(SchedulingScenario("a"));
  EXPECT_THAT(error_of([&] { strategy->add_scenario(SchedulingScenario("a")); }),
              HasSubstr("'a' already"));
  EXPECT_THAT(error_of([&] { strategy->add_scenario(nullptr); }), HasSubstr("is nullptr"));
  strategy->set_default_scenario("b");
  EXPECT_THAT(error_of([&] { tasks::given(strategy); }), HasSubstr("no scenario 'b'"));
  strategy->add_scenario(std::make_shared<SchedulingScenario>("b"));
  EXPECT_TRUE(tasks::given(strategy));
  EXPECT_FALSE(tasks::given(nullptr));
}

TEST(SchedulingStrategyTest, IsReadWhenItIsGiven) {
  const auto scenario = std::make_shared<SchedulingScenario>("a");
  const auto strategy = std::make_shared<SchedulingStrategy>();
  strategy->add_scenario(scenario);
  const tasks::GivenStrategy given = tasks::given(strategy);
  scenario->set_task("x", {});
  strategy->add_scenario(SchedulingScenario("b"));
  ASSERT_EQ(given.content->scenarios().size(), 1u);
  EXPECT_TRUE(given.content->scenarios()[0].tasks().empty());
  EXPECT_TRUE(given.is(tasks::given(strategy)));
}

TEST(SchedulingStrategyTest, OfOneFileIsOne) {
  const auto make = [](const char * source) {
    const auto strategy = std::make_shared<SchedulingStrategy>(source);
    strategy->add_scenario(SchedulingScenario("a"));
    return tasks::given(strategy);
  };
  EXPECT_TRUE(make("x.yaml").is(make("x.yaml")));
  EXPECT_FALSE(make("x.yaml").is(make("y.yaml")));
  EXPECT_FALSE(make("").is(make("")));
}

}  // namespace
}  // namespace takt
