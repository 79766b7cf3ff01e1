// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/tasks/scheduling_scenario.hpp"

#include <gmock/gmock.h>

#include <limits>
#include <string>

#include "takt_core/model/job.hpp"
#include "takt_core/tasks/error.hpp"
#include "takt_core/tasks/testing/error_of.hpp"

namespace takt {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using testing::error_of;
using ::testing::HasSubstr;

bool by_priority(const model::Job &, const model::Task & a, const model::Job &,
                 const model::Task & b) {
  return a.priority > b.priority;
}

TEST(SchedulingScenarioTest, IsWrittenAsInTheThesis) {
  SchedulingScenario scenario("default_scenario");
  scenario.add_timer("scheduling_id_timer_3", 98, 50, {.subscribes = "topic1"});
  scenario.add_timer("scheduling_id_timer_4", 97, 20ms, {.publishes = {"topic1", "topic2"}});
  scenario.set_scheduling_policy(&np_edf_policy);
  ASSERT_EQ(scenario.tasks().size(), 2u);
  const auto & third = scenario.tasks()[0];
  EXPECT_EQ(third.id, "scheduling_id_timer_3");
  EXPECT_TRUE(third.is_timer);
  EXPECT_EQ(third.timing.priority, 98);
  EXPECT_EQ(third.timing.deadline, 50ms);
  EXPECT_THAT(third.timing.subscribes.names(), ElementsAre("topic1"));
  EXPECT_THAT(scenario.tasks()[1].timing.publishes.names(), ElementsAre("topic1", "topic2"));
  EXPECT_EQ(scenario.tasks()[1].timing.deadline, 20ms);
  EXPECT_EQ(scenario.policy()->name(), "np-edf");
  scenario.set_scheduling_policy_function(&by_priority);
  EXPECT_NE(scenario.policy()->make(), nullptr);
}

TEST(SchedulingScenarioTest, EveryBuiltInPolicyHasAConstant) {
  SchedulingScenario scenario("s");
  for (const BuiltinPolicy & policy :
       {fp_policy, rm_policy, dm_policy, edf_policy, np_fp_policy, np_rm_policy, np_dm_policy,
        np_edf_policy, fifo_policy, ros_policy}) {
    scenario.set_scheduling_policy(policy);
    EXPECT_EQ(scenario.policy()->name(), policy.name);
  }
}

TEST(SchedulingScenarioTest, RefusesWhatIsOutOfRange) {
  SchedulingScenario scenario("dock");
  const auto refused = [&scenario](const TaskTiming & timing) {
    return error_of([&] { scenario.set_task("a/b", timing); });
  };
  EXPECT_EQ(refused({.priority = 99}),
            "scenario 'dock': task 'a/b': priority must be from 1 to 98");
  EXPECT_THAT(refused({.priority = 0}), HasSubstr("priority"));
  EXPECT_THAT(refused({.period = 0ms}), HasSubstr("period"));
  EXPECT_THAT(refused({.period = Duration::max()}), HasSubstr("period"));
  EXPECT_THAT(refused({.phase = -1ms}), HasSubstr("phase"));
  EXPECT_THAT(refused({.min_interval = -1ms}), HasSubstr("min_interval"));
  EXPECT_THAT(refused({.deadline = 0ms}), HasSubstr("deadline"));
  EXPECT_THAT(refused({.deadline = Duration::max() - 1ns}), HasSubstr("deadline"));
  EXPECT_THAT(refused({.period = 1ms, .min_interval = 1ms}), HasSubstr("one or the other"));
  EXPECT_THAT(error_of([&] { scenario.add_timer("a/b", 98, -50); }), HasSubstr("deadline"));
  EXPECT_THAT(error_of([&] { scenario.set_task("", {}); }), HasSubstr("no name"));
  EXPECT_TRUE(scenario.tasks().empty());
  scenario.set_task("a/b", {.min_interval = 0ms, .deadline = Duration::max(), .priority = 98});
  EXPECT_THAT(refused({}), HasSubstr("occurs twice"));
  EXPECT_THAT(error_of([&] { scenario.set_scheduling_policy("no-such"); }),
              HasSubstr("scenario 'dock': "));
  EXPECT_FALSE(scenario.policy());
  EXPECT_THROW(SchedulingScenario(""), Error);
}

}  // namespace
}  // namespace takt
