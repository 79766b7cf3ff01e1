// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testing/benchmark_run.hpp"

namespace takt::lab {
namespace {

using testing::BenchmarkRun;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(DispatchTest, MeasuresEachNumberOfTasks) {
  const BenchmarkRun run("dispatch", "100000000", {"--tasks", "3", "40"});
  testing::check(run);
  for (const char * variant : {"together", "spread", "heap", "executor", "wake-up"}) {
    EXPECT_THAT(run.xs(variant), ElementsAre(3, 40)) << variant;
  }
}

TEST(DispatchTest, MeasuresTheSchedulerAlone) {
  const BenchmarkRun run("dispatch", "1000000", {"--tasks", "1", "--model-only"});
  testing::check(run);
  EXPECT_THAT(run.xs("spread"), ElementsAre(1));
  EXPECT_THAT(run.xs("executor"), IsEmpty());
}

}  // namespace
}  // namespace takt::lab
