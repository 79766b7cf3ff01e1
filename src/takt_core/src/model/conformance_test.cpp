// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// Properties that every policy must have, built-in or user-defined.
#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>

#include "takt_core/model/comparator_policy.hpp"
#include "takt_core/model/urgency_policy.hpp"
#include "testing/random_seed.hpp"
#include "testing/random_task_set.hpp"
#include "testing/schedule_checker.hpp"

namespace takt::model::testing {
namespace {

struct Subject {
  std::string name;
  std::string rules;  ///< the built-in policy that it must match
  std::function<std::unique_ptr<Policy>()> make;
};
std::ostream & operator<<(std::ostream & out, const Subject & subject) {
  return out << subject.name;
}

std::vector<Subject> subjects() {
  std::vector<Subject> all;
  for (const std::string & name : policy_names()) {
    all.push_back({name, name, [name] { return make_policy(name); }});
  }
  const auto by_deadline = [](const Task &, const Job & job, const ApplicationState &) {
    return job.deadline;
  };
  const auto before = [](const Job & a, const Task &, const Job & b, const Task &) {
    return a.deadline < b.deadline;
  };
  const auto rank = [](const Task & task) { return -task.deadline; };
  all.push_back({"user-urgency", "np-edf",
                 [=] { return std::make_unique<UrgencyPolicy>("urgency", by_deadline); }});
  all.push_back({"user-urgency-with-levels", "edf",
                 [=] { return std::make_unique<UrgencyPolicy>("urgency", by_deadline, rank); }});
  all.push_back(
      {"user-comparator", "np-edf", [=] { return std::make_unique<ComparatorPolicy>(before); }});
  all.push_back({"user-comparator-with-levels", "edf",
                 [=] { return std::make_unique<ComparatorPolicy>(before, "comparator", rank); }});
  return all;
}

class ConformanceTest : public ::testing::TestWithParam<Subject> {
 protected:
  Outcome run_it(const TaskSet & set) { return run(set, GetParam().make()); }
};

TEST_P(ConformanceTest, TiesGoByTaskIndexAtLast) {
  const TaskSet set =
      task_set({{.period = 20}, {.period = 20}, {.period = 20}, {.period = 20}}, 20);
  EXPECT_EQ(text(run_it(set).result.slices), "A0 0-1, B0 1-2, C0 2-3, D0 3-4");
}

TEST_P(ConformanceTest, ReleasesStayOnTheGridUnderOverload) {
  const TaskSet set = task_set({{.execution = 7, .period = 10, .phase = 3},
                                {.execution = 9, .period = 15, .priority = 2, .queue = 2}},
                               3000);
  const Outcome outcome = run_it(set);
  for (const SimulatedJob & job : outcome.result.jobs) {
    const Task & task = set.tasks[job.job.task];
    ASSERT_EQ(job.job.release, task.phase + static_cast<Time>(job.job.index) * task.period);
  }
  EXPECT_EQ(outcome.counters[0].released, 300u);
  EXPECT_EQ(outcome.counters[1].released, 200u);
}

TEST_P(ConformanceTest, EveryReleaseIsAccountedFor) {
  const TaskSet set = task_set({{.execution = 7, .period = 10},
                                {.execution = 9, .period = 15, .queue = 2},
                                {.execution = 4, .period = 6, .phase = 1, .priority = 2}},
                               1);
  LocalScheduler scheduler = scheduler_of(set, GetParam().make());
  std::uint64_t seen = 0;
  const auto check = [&] {
    std::uint64_t open = 0;
    for (TaskId id = 0; id < 3; ++id) {
      const TaskCounters & counters = scheduler.counters(id);
      ASSERT_LE(counters.finished, counters.started);
      ASSERT_LE(counters.skipped, counters.overruns);
      open += counters.released - counters.skipped - counters.started;
      seen += counters.finished;
    }
    ASSERT_EQ(open, scheduler.pending());
  };
  for (Time now = 0; now < 1000; now += 2) {
    scheduler.advance(now);
    check();
    while (scheduler.decide(now).kind == Decision::Kind::start) check();
    if (now % 6 == 4 && !scheduler.idle()) scheduler.finish(scheduler.running(), now);
    check();
  }
  EXPECT_GT(seen, 0u);
}

TEST_P(ConformanceTest, OneInputAndTheSameScheduleAgain) {
  const std::uint64_t seed = random_seed();
  for (std::uint64_t i = 0; i < 20; ++i) {
    const TaskSet set = RandomTaskSet(seed + i).make();
    const Outcome first = run_it(set);
    const Outcome second = run_it(set);
    ASSERT_EQ(text(first.result.slices), text(second.result.slices)) << seed + i;
    ASSERT_EQ(first.result.misses.size(), second.result.misses.size());
  }
}

TEST_P(ConformanceTest, RandomSchedulesKeepTheRules) {
  const std::uint64_t seed = random_seed();
  for (std::uint64_t i = 0; i < 500; ++i) {
    const TaskSet set = RandomTaskSet(seed + i).make();
    ASSERT_EQ(violations(set, rules_of(GetParam().rules), run_it(set)), std::vector<std::string>())
        << "TAKT_SEED=" << seed + i;
  }
}

TEST_P(ConformanceTest, LateJobsAreCountedAndReportedOnce) {
  const std::uint64_t seed = random_seed();
  for (std::uint64_t i = 0; i < 100; ++i) {
    TaskSet set = RandomTaskSet(seed + i).make();
    const Outcome outcome = run_it(set);
    std::map<std::pair<TaskId, std::uint64_t>, int> reports;
    for (const Miss & miss : outcome.result.misses) {
      ++reports[{miss.job.task, miss.job.index}];
      ASSERT_GE(miss.noticed, miss.job.deadline);
    }
    std::vector<std::uint64_t> late(set.tasks.size());
    for (const SimulatedJob & job : outcome.result.jobs) {
      if (job.skipped) continue;
      const int reported = reports[{job.job.task, job.job.index}];
      if (job.finish != never) {
        ASSERT_EQ(reported, job.finish > job.job.deadline) << "TAKT_SEED=" << seed + i;
      } else if (job.job.deadline >= set.options.end) {
        ASSERT_EQ(reported, 0) << "TAKT_SEED=" << seed + i;
      } else {
        ASSERT_EQ(reported, 1) << "TAKT_SEED=" << seed + i;
      }
      late[job.job.task] += static_cast<std::uint64_t>(reported);
    }
    for (TaskId id = 0; id < set.tasks.size(); ++id) {
      ASSERT_EQ(outcome.counters[id].missed, late[id]);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Policies, ConformanceTest, ::testing::ValuesIn(subjects()),
                         [](const auto & each) {
                           std::string name = each.param.name;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace takt::model::testing
