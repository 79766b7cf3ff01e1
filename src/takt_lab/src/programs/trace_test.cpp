// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testing/benchmark_run.hpp"

namespace takt::lab {
namespace {

using testing::BenchmarkRun;
using ::testing::ElementsAre;

TEST(TraceTest, MeasuresJobsWithAndWithoutIt) {
  const BenchmarkRun run("trace", "100000000", {"--tasks", "3", "10"});
  testing::check(run);
  for (const char * variant : {"traced", "not traced", "drain"}) {
    EXPECT_THAT(run.xs(variant), ElementsAre(3, 10)) << variant;
  }
  EXPECT_GT(run.facts["events"], 0);
}

}  // namespace
}  // namespace takt::lab
