// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/model/policy.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "testing/virtual_run.hpp"

namespace takt::model::testing {
namespace {

Urgency urgency(const std::string & policy, const Spec & spec, Time release) {
  const Task task = task_of(spec);
  const Job job{.release = release,
                .deadline = task.deadline == never ? never : release + task.deadline};
  return make_policy(policy)->urgency(task, job, ApplicationState());
}

TEST(PolicyTest, IsMadeByName) {
  for (const std::string & name : policy_names()) EXPECT_EQ(make_policy(name)->name(), name);
  EXPECT_EQ(policy_names(), (std::vector<std::string>{"fp", "rm", "dm", "edf", "np-fp", "np-rm",
                                                      "np-dm", "np-edf", "fifo", "ros"}));
}

TEST(PolicyTest, AnUnknownNameGetsTheKnownOnesForAnAnswer) {
  try {
    make_policy("lifo");
    FAIL();
  } catch (const std::invalid_argument & error) {
    EXPECT_STREQ(error.what(),
                 "unknown policy 'lifo': use one of fp, rm, dm, edf, np-fp, np-rm, np-dm, np-edf, "
                 "fifo, ros");
  }
}

TEST(PolicyTest, TheNonPreemptiveFormHasTheSameUrgency) {
  const Spec spec{.period = 50, .deadline = 40, .priority = 7};
  for (const std::string name : {"fp", "rm", "dm", "edf"}) {
    EXPECT_EQ(non_preemptive_name(name), "np-" + name);
    EXPECT_TRUE(make_policy(name)->preemptive());
    EXPECT_FALSE(make_policy("np-" + name)->preemptive());
    EXPECT_EQ(urgency(name, spec, 3), urgency("np-" + name, spec, 3));
  }
  for (const std::string name : {"np-edf", "fifo", "ros", "my-own"}) {
    EXPECT_EQ(non_preemptive_name(name), name);
  }
}

TEST(PolicyTest, TheSmallerUrgencyGoesFirst) {
  EXPECT_LT(urgency("fp", {.period = 9, .priority = 98}, 0),
            urgency("fp", {.period = 9, .priority = 97}, 0));
  EXPECT_LT(urgency("rm", {.period = 8}, 5), urgency("rm", {.period = 9}, 0));
  EXPECT_LT(urgency("dm", {.period = 9, .deadline = 3}, 0),
            urgency("dm", {.period = 8, .deadline = 4}, 0));
  EXPECT_LT(urgency("edf", {.period = 9}, 0), urgency("edf", {.period = 8}, 2));
  EXPECT_LT(urgency("fifo", {.period = 9}, 1), urgency("fifo", {.period = 8}, 2));
}

TEST(PolicyTest, TasksWithoutTimingComeLast) {
  const Spec bare{.kind = TaskKind::service};
  for (const std::string name : {"rm", "dm", "edf"}) {
    EXPECT_EQ(urgency(name, bare, 0), never) << name;
    EXPECT_LT(make_policy(name)->preemption_rank(task_of(bare)),
              make_policy(name)->preemption_rank(task_of({.period = 1'000'000'000})))
        << name;
  }
}

TEST(PolicyTest, RateMonotonicRanksByAnInheritedPeriodWhereThereIsNoOther) {
  const auto rank = [](TaskKind kind, Duration period, Duration rank_period) {
    Task task = task_of({.period = period, .kind = kind});
    task.rank_period = rank_period;
    EXPECT_EQ(make_policy("rm")->preemption_rank(task),
              -make_policy("rm")->urgency(task, {}, ApplicationState()));
    return make_policy("np-rm")->urgency(task, {}, ApplicationState());
  };
  EXPECT_EQ(rank(TaskKind::subscription, 0, 30), rank(TaskKind::timer, 30, 0));
  EXPECT_EQ(rank(TaskKind::subscription, 50, 30), 50);
  EXPECT_EQ(rank(TaskKind::timer, 50, 30), 50);
  EXPECT_EQ(rank(TaskKind::subscription, 0, 0), never);
}

}  // namespace
}  // namespace takt::model::testing
