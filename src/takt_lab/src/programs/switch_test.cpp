// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testing/benchmark_run.hpp"

namespace takt::lab {
namespace {

using testing::BenchmarkRun;
using ::testing::ElementsAre;

TEST(Switch, IsAskedForByAThreadAndByACallback) {
  const BenchmarkRun run("switch", "200000000");
  if (!testing::realtime_available()) return testing::check_refusal(run);
  testing::check(run);
  for (const std::string variant : run.facts["variants"]) {
    EXPECT_THAT(run.xs(variant), ElementsAre(0)) << variant;
  }
  // There and back for each that was measured.
  EXPECT_GE(run.facts["switches"], 4);
  // A busy host may delay the requests of two periods until they come at once.
  EXPECT_LE(run.facts["overwritten"], run.facts["switches"]);
}

}  // namespace
}  // namespace takt::lab
