// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <takt_core/os/rights.hpp>

#include "testing/benchmark_run.hpp"

namespace takt::lab {
namespace {

using testing::BenchmarkRun;
using ::testing::ElementsAre;

TEST(CrossingTest, MeasuresWithinACpuAndAcross) {
  if (os::allowed_cpus().size() < 2) GTEST_SKIP() << "this process may use one CPU";
  const BenchmarkRun run("crossing", "2000000");
  testing::check(run);
  for (const char * what : {"round trip", "publish", "wake-up"}) {
    for (const char * where : {", one CPU", ", two CPUs"}) {
      EXPECT_THAT(run.xs(std::string(what) + where), ElementsAre(0)) << what << where;
    }
  }
  EXPECT_GT(run.facts["statistics"]["crossings"], 0);
  EXPECT_GT(run.facts["statistics"]["longest_lock_hold_ns"], 0);
}

}  // namespace
}  // namespace takt::lab
