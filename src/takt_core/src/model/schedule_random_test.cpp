// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// Random task sets under every policy, their schedules looked over by an independent checker.
#include <gtest/gtest.h>

#include <algorithm>

#include "testing/random_seed.hpp"
#include "testing/random_task_set.hpp"
#include "testing/schedule_checker.hpp"

namespace takt::model::testing {
namespace {

class RandomSchedules : public ::testing::TestWithParam<std::string> {};

TEST_P(RandomSchedules, KeepTheRules) {
  const std::uint64_t seed = random_seed();
  for (std::uint64_t i = 0; i < 500; ++i) {
    const TaskSet set = RandomTaskSet(seed + i).make();
    ASSERT_EQ(violations(set, rules_of(GetParam()), run(set, GetParam())),
              std::vector<std::string>())
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
