// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testing/benchmark_run.hpp"

namespace takt::lab {
namespace {

using testing::BenchmarkRun;
using ::testing::ElementsAre;

TEST(ExchangeTest, MeasuresEachSize) {
  const BenchmarkRun run("exchange", "2000000", {"--sizes", "16", "70000"});
  testing::check(run);
  EXPECT_THAT(run.xs("loaned"), ElementsAre(16, 70000));
  EXPECT_THAT(run.xs("copied"), ElementsAre(16, 70000));
  EXPECT_THAT(run.xs("wake-up"), ElementsAre(0));
}

}  // namespace
}  // namespace takt::lab
