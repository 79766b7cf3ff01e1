// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testing/benchmark_run.hpp"

namespace takt::lab {
namespace {

using testing::BenchmarkRun;
using ::testing::ElementsAre;

TEST(NodesTest, ComeAndGoInEachNumber) {
  const BenchmarkRun run("nodes", "1000000", {"--nodes", "1", "5"});
  testing::check(run);
  for (const char * variant : {"rcl makes", "takt adds", "takt removes", "takt adds at once",
                               "takt removes at once", "rcl destroys"}) {
    EXPECT_THAT(run.xs(variant), ElementsAre(1, 5)) << variant;
  }
}

}  // namespace
}  // namespace takt::lab
