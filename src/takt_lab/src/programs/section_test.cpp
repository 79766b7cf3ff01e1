// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testing/benchmark_run.hpp"

namespace takt::lab {
namespace {

using testing::BenchmarkRun;
using ::testing::ElementsAre;

TEST(SectionTest, IsLaidBesideClockReadsAndALock) {
  const BenchmarkRun run("section", "50000000");
  testing::check(run);
  for (const std::string variant : run.facts["variants"]) {
    EXPECT_THAT(run.xs(variant), ElementsAre(0)) << variant;
  }
  EXPECT_GT(run.facts["longest_section_ns"], 0);
}

}  // namespace
}  // namespace takt::lab
