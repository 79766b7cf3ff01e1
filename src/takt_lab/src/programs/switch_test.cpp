// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "testing/benchmark_run.hpp"

namespace takt::lab {
namespace {

using testing::BenchmarkRun;
using ::testing::ElementsAre;

TEST(SwitchTest, IsAskedForByAThreadAndByACallback) {
  if (!testing::realtime_available()) {
    return testing::check_refusal(BenchmarkRun("switch", "200000000"));
  }
  // If the host stalls at every request of a turn, a variant has no samples; then the run is repeated.
  for (int attempts_left = 4;; --attempts_left) {
    const BenchmarkRun run("switch", "200000000");
    testing::check(run);
    const std::vector<std::string> variants = run.facts["variants"];
    const bool whole = std::all_of(variants.begin(), variants.end(), [&](const auto & variant) {
      return run.xs(variant).contains(0);
    });
    if (!whole && attempts_left > 0) continue;
    for (const std::string & variant : variants) {
      EXPECT_THAT(run.xs(variant), ElementsAre(0)) << variant;
    }
    // Each measured request changes to the scenario `alarm`, and afterwards back to `calm`.
    EXPECT_GE(run.facts["switches"], 4);
    return;
  }
}

}  // namespace
}  // namespace takt::lab
