// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <stdexcept>
#include <string>

#include "takt_core/os/clock.hpp"
#include "testing/harness.hpp"
#include "testing/modes.hpp"

namespace takt::executor {
namespace {

using testing::ms;
using testing::Rig;
using testing::Watched;

class ProcessorScenariosTest : public testing::ModeTest {
 protected:
  std::vector<Scenario> one(std::map<TaskId, model::Timing> timings,
                            const std::string & policy = "") const {
    Scenario scenario;
    scenario.policy = policy.empty() || preempts() ? policy : "np-" + policy;
    scenario.timings = std::move(timings);
    return {scenario};
  }
};
TAKT_FOR_ALL_MODES(ProcessorScenariosTest);

TEST_P(ProcessorScenariosTest, ARequestFromAnotherThreadTakesEffect) {
  Rig rig(options("rm"), rights());
  Watched<int> slow;
  const auto id =
      rig.add({.id = "n/a", .period = 3'600'000 * ms}, [&](const JobInfo &) { slow.add(1); });
  rig.processor().set_scenarios(one({{id, {.period = ms}}}));
  rig.start();
  ASSERT_TRUE(slow.wait_for_at_least(1));
  rig.processor().request_scenario(1);
  ASSERT_TRUE(slow.wait_for_at_least(10));
  const Statistics statistics = rig.processor().statistics();
  EXPECT_EQ(statistics.scenario, 1U);
  EXPECT_EQ(statistics.scenario_switches, 1U);
  EXPECT_GT(statistics.last_switch_ns, 0);
  EXPECT_EQ(statistics.last_switch_ns, statistics.longest_switch_ns);
  rig.stop();
}

TEST_P(ProcessorScenariosTest, TheFirstHoldsWithoutBeingAskedFor) {
  Rig rig(options("rm"), rights());
  Watched<int> fast;
  const auto id =
      rig.add({.id = "n/a", .period = 3'600'000 * ms}, [&](const JobInfo &) { fast.add(1); });
  auto scenarios = one({{id, {.suspended = true}}});
  scenarios.push_back(one({{id, {.period = ms}}}).front());
  rig.processor().set_scenarios(scenarios, 2);
  rig.start();
  ASSERT_TRUE(fast.wait_for_at_least(10));
  // The active scenario stays active.
  rig.processor().set_scenarios(scenarios, 1);
  EXPECT_EQ(rig.processor().statistics().scenario, 2U);
  rig.processor().set_scenarios({});
  EXPECT_EQ(rig.processor().statistics().scenario, model::base_scenario);
  rig.processor().set_scenarios(scenarios, 3);
  EXPECT_EQ(rig.processor().statistics().scenario, model::base_scenario);
  EXPECT_EQ(rig.processor().statistics().scenario_switches, 0U);
  rig.stop();
}

TEST_P(ProcessorScenariosTest, OfSeveralRequestsTheLastWinsAndTheOthersAreCounted) {
  Rig rig(options("rm"), rights());
  Watched<int> fast;
  const auto id =
      rig.add({.id = "n/a", .period = 3'600'000 * ms}, [&](const JobInfo &) { fast.add(1); });
  auto scenarios = one({{id, {.suspended = true}}});
  scenarios.push_back(one({{id, {.period = ms}}}).front());
  rig.processor().set_scenarios(std::move(scenarios));
  // It does not spin yet, so no request takes effect.
  rig.processor().request_scenario(1);
  rig.processor().request_scenario(0);
  rig.processor().request_scenario(2);
  rig.start();
  ASSERT_TRUE(fast.wait_for_at_least(3));
  const Statistics statistics = rig.processor().statistics();
  EXPECT_EQ(statistics.scenario, 2U);
  EXPECT_EQ(statistics.scenario_switches, 1U);
  EXPECT_EQ(statistics.scenario_requests_overwritten, 2U);
  rig.stop();
}

TEST_P(ProcessorScenariosTest, ACallbackMayAsk) {
  Rig rig(options("fp"), rights());
  Watched<int> jobs;
  std::atomic<bool> asked = false;
  const auto id = rig.add({.id = "n/a", .period = ms}, [&](const JobInfo & job) {
    if (job.index == 5) {
      rig.processor().request_scenario(1);
      asked = true;
    } else if (asked) {
      EXPECT_EQ(rig.processor().statistics().scenario, 1U);
    }
    jobs.add(1);
  });
  rig.processor().set_scenarios(one({{id, {.period = 2 * ms}}}, "edf"));
  rig.start();
  ASSERT_TRUE(jobs.wait_for_at_least(10));
  rig.stop();
}

// The scenarios split one level into as many as there are tasks, and the task is added before they
// do.
TEST_P(ProcessorScenariosTest, ACallbackMayBringScenariosAndThenATask) {
  Rig rig(options("fp"), rights());
  Watched<int> jobs;
  TaskId urgent = TaskId::none;
  std::map<TaskId, model::Timing> apart;
  const auto asker = rig.add_event("n/asker", 50, [&](const JobInfo &) {
    rig.processor().set_scenarios(one(apart), 1);
    urgent = rig.add_event("n/urgent", 90, [&](const JobInfo &) { jobs.add(1); });
    rig.processor().release(urgent);
  });
  for (const int priority : {60, 70}) {
    const auto id = rig.add_event("n/" + std::to_string(priority), 50, [](const JobInfo &) {});
    apart[id].priority = priority;
  }
  rig.start();
  rig.processor().release(asker);
  EXPECT_TRUE(jobs.wait_for_at_least(1));
  EXPECT_EQ(rig.processor().grants().levels, preempts() ? 4U : 1U);
  rig.stop();
}

TEST_P(ProcessorScenariosTest, AMissHandlerMayAsk) {
  Options with = options("rm");
  Rig * processor = nullptr;
  with.handlers.on_miss = [&](const Miss &, const std::string &) {
    processor->processor().request_scenario(1);
  };
  Rig rig(with, rights());
  processor = &rig;
  Watched<int> relaxed;
  const auto id =
      rig.add({.id = "n/a", .period = 2 * ms, .deadline = 2 * ms}, [&](const JobInfo & job) {
        if (rig.processor().statistics().scenario == 1) relaxed.add(1);
        while (job.index == 3 && os::now() <= job.deadline) {
        }
      });
  rig.processor().set_scenarios(one({{id, {.period = 5 * ms}}}));
  rig.start();
  EXPECT_TRUE(relaxed.wait_for_at_least(3));
  rig.stop();
}

TEST_P(ProcessorScenariosTest, ItGoesOnHoldingFromOneSpinToTheNext) {
  Rig rig(options("rm"), rights());
  Watched<int> jobs;
  const auto id =
      rig.add({.id = "n/a", .period = 3'600'000 * ms}, [&](const JobInfo &) { jobs.add(1); });
  rig.processor().set_scenarios(one({{id, {.period = ms}}}));
  rig.processor().request_scenario(1);
  rig.start();
  ASSERT_TRUE(jobs.wait_for_at_least(2));
  rig.stop();
  const int before = jobs.get();
  rig.start();
  EXPECT_TRUE(jobs.wait_for_at_least(before + 3));
  EXPECT_EQ(rig.processor().statistics().scenario, 1U);
  rig.stop();
}

TEST_P(ProcessorScenariosTest, TasksComeAndGoBesideIt) {
  Rig rig(options("rm"), rights());
  Watched<int> jobs;
  const auto id =
      rig.add({.id = "n/a", .period = 3'600'000 * ms}, [&](const JobInfo &) { jobs.add(1); });
  rig.processor().set_scenarios(one({{id, {.period = ms}}}));
  rig.processor().request_scenario(1);
  rig.start();
  ASSERT_TRUE(jobs.wait_for_at_least(2));
  Watched<int> others;
  const auto other = rig.add({.id = "n/b", .period = ms}, [&](const JobInfo &) { others.add(1); });
  ASSERT_TRUE(others.wait_for_at_least(2));
  rig.processor().remove_task(other);
  const int before = jobs.get();
  EXPECT_TRUE(jobs.wait_for_at_least(before + 3));
  rig.stop();
}

TEST_P(ProcessorScenariosTest, WhatWasOfATaskThatHasGoneIsNotOfTheNext) {
  Rig rig(options("rm"), rights());
  const auto gone = rig.add({.id = "n/gone", .period = 10 * ms}, [](const JobInfo &) {});
  rig.processor().set_scenarios(one({{gone, {.deadline = 5 * ms}}}), 1);
  rig.processor().remove_task(gone);
  Watched<int> jobs;
  const auto next =
      rig.add({.id = "n/next", .period = ms, .deadline = ms},
              [&](const JobInfo & job) { jobs.add(job.deadline == job.release + ms); });
  EXPECT_EQ(next, gone) << "the number of a removed task is used again";
  rig.start();
  EXPECT_TRUE(jobs.wait_for_at_least(3));
  rig.stop();
}

TEST_P(ProcessorScenariosTest, WhatCannotBeIsRefusedAndChangesNothing) {
  Rig rig(options("rm"), rights());
  const auto id = rig.add({.id = "n/a", .period = ms}, [](const JobInfo &) {});
  EXPECT_THROW(rig.processor().set_scenarios(one({{id, {.period = -1}}})), std::invalid_argument);
  EXPECT_THROW(rig.processor().set_scenarios(one({}, "nonsense")), std::invalid_argument);
  rig.processor().request_scenario(3);
  rig.start();
  ASSERT_TRUE(rig.add_ticks().wait_for_at_least(3));
  EXPECT_EQ(rig.processor().statistics().scenario, model::base_scenario);
  EXPECT_EQ(rig.processor().statistics().scenario_switches, 0U);
  if (mode() == testing::Mode::non_preemptive) {
    const auto set = [&] { rig.processor().set_scenarios({{.policy = "edf"}}); };
    if (testing::realtime_available()) {
      EXPECT_THROW(set(), std::invalid_argument);
    } else {
      EXPECT_NO_THROW(set()) << "without rights every policy runs in its non-preemptive form";
    }
  }
  rig.stop();
}

}  // namespace
}  // namespace takt::executor
