// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// Cross-checks with theory: task sets that are known to be schedulable, and bounds that are known
// to hold.
#include <gtest/gtest.h>

#include <iostream>
#include <numeric>
#include <random>

#include "testing/random_seed.hpp"
#include "testing/virtual_run.hpp"

namespace takt::model::testing {
namespace {

class OptimalityTest : public ::testing::Test {
 protected:
  std::int64_t between(std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(random_);
  }

  /// Timers with these periods, implicit deadlines and a utilisation as close to 1 as whole numbers
  /// allow.
  TaskSet full(const std::vector<Duration> & periods, Time end, bool phases) {
    std::vector<Spec> specs;
    const Time common = std::accumulate(periods.begin(), periods.end(), Time{1},
                                        [](Time a, Time b) { return std::lcm(a, b); });
    Time free = common;  // free capacity in the hyperperiod
    for (const Duration period : periods) {
      const Duration most = std::min(period, free / (common / period));
      if (most < 1) break;
      const bool last = period == periods.back();
      const Duration execution = last ? most : between(1, std::max<Duration>(1, most / 2));
      free -= execution * (common / period);
      specs.push_back(
          {.execution = execution, .period = period, .phase = phases ? between(0, period - 1) : 0});
    }
    return task_set(specs, end);
  }

  void expect_all_met(const TaskSet & set, const std::string & policy) {
    const Outcome outcome = run(set, policy);
    for (TaskId id = 0; id < set.tasks.size(); ++id) {
      ASSERT_EQ(outcome.counters[id].missed + outcome.counters[id].skipped, 0u)
          << policy << ", seed " << seed_ << ": " << text(outcome.result.slices);
    }
  }

  const std::uint64_t seed_ = random_seed();
  std::mt19937_64 random_{seed_};
};

TEST_F(OptimalityTest, EdfMeetsAllDeadlinesUpToFullUtilisation) {
  constexpr Duration periods[] = {4, 5, 6, 8, 10, 12, 15, 20, 24, 30};
  for (int i = 0; i < 500; ++i) {
    std::vector<Duration> chosen;
    for (auto n = between(1, 8); n > 0; --n) chosen.push_back(periods[between(0, 9)]);
    const TaskSet set = full(chosen, 240, between(0, 1) == 1);
    ASSERT_NO_FATAL_FAILURE(expect_all_met(set, "edf"));
  }
}

TEST_F(OptimalityTest, RateMonotonicMeetsAllDeadlinesOfHarmonicSets) {
  for (int i = 0; i < 500; ++i) {
    std::vector<Duration> chosen = {between(2, 6)};
    for (auto n = between(0, 5); n > 0; --n) chosen.push_back(chosen.back() * between(1, 3));
    const TaskSet set = full(chosen, 2 * chosen.back() + 10, between(0, 1) == 1);
    ASSERT_NO_FATAL_FAILURE(expect_all_met(set, "rm"));
    ASSERT_NO_FATAL_FAILURE(expect_all_met(set, "dm"));
  }
}

/// With all phases 0, the first job of each task has its worst response time R, which satisfies
/// R = C + sum over the more urgent tasks of ceil(R / T) * C
/// (Joseph and Pandya, The Computer Journal 29, 1986).
TEST_F(OptimalityTest, FirstResponseTimesUnderFixedPrioritiesFollowTheEquation) {
  for (int i = 0; i < 500; ++i) {
    std::vector<Spec> specs;
    for (auto n = between(1, 6); n > 0; --n) {
      const Duration period = between(10, 60);
      specs.push_back({.execution = between(1, period / 4),
                       .period = period,
                       .deadline = 10 * period,
                       .priority = static_cast<int>(90 - n),
                       .queue = 10});
    }
    const Outcome outcome = run(task_set(specs, 400), "fp");
    for (const SimulatedJob & job : outcome.result.jobs) {
      if (job.job.index != 0 || job.finish == never) continue;
      Duration response = 0;
      Duration next = specs[job.job.task].execution;
      while (next != response) {
        response = next;
        next = specs[job.job.task].execution;
        for (const Spec & other : specs) {
          if (other.priority <= specs[job.job.task].priority) continue;
          next += (response + other.period - 1) / other.period * other.execution;
        }
      }
      ASSERT_EQ(job.finish, response) << "seed " << seed_ << ", task " << job.job.task;
    }
  }
}

/// After an overload the backlog is processed within backlog / (1 - U) plus one hyperperiod.
TEST_F(OptimalityTest, RecoversFromAStall) {
  for (const std::string & policy : policy_names()) {
    TaskSet set =
        task_set({{.execution = 2, .period = 10, .deadline = 100, .priority = 3, .queue = 20},
                  {.execution = 5, .period = 20, .deadline = 100, .priority = 2, .queue = 20},
                  {.execution = 10, .period = 40, .deadline = 100, .priority = 1, .queue = 20}},
                 1000);
    set.options.stalls = {{100, 200}};
    const Outcome outcome = run(set, policy);
    const Time recovered = 200 + 70 * 10 / 3 + 40;  // U = 0.7, backlog at 200 is 100 * U
    for (const SimulatedJob & job : outcome.result.jobs) {
      if (job.job.release < recovered) continue;
      EXPECT_LE(job.finish, job.job.release + set.tasks[job.job.task].period) << policy;
    }
  }
}

}  // namespace
}  // namespace takt::model::testing
