// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// Random task sets under every policy, their schedules looked over by an independent checker.
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

#include "testing/random_task_set.hpp"
#include "testing/schedule_checker.hpp"

namespace takt::model::testing {
namespace {

std::uint64_t first_seed() {
  const char * given = std::getenv("TAKT_SEED");
  return given != nullptr ? std::strtoull(given, nullptr, 10) : std::random_device()();
}

class RandomSchedules : public ::testing::TestWithParam<std::string> {};

TEST_P(RandomSchedules, KeepTheRules) {
  const std::uint64_t seed = first_seed();
  RecordProperty("seed", std::to_string(seed));
  std::cout << "seed " << seed << " (again: TAKT_SEED=" << seed << ")\n";
  for (std::uint64_t i = 0; i < 300; ++i) {
    const TaskSet set = RandomTaskSet(seed + i).make();
    const Outcome outcome = run(set, GetParam());
    ASSERT_EQ(violations(set, rules_of(GetParam()), outcome), std::vector<std::string>())
        << "TAKT_SEED=" << seed + i;
  }
}

INSTANTIATE_TEST_SUITE_P(Policies, RandomSchedules, ::testing::ValuesIn(policy_names()),
                         [](const auto & each) {
                           std::string name = each.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace takt::model::testing
