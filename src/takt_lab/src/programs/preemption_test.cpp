// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testing/benchmark_run.hpp"

namespace takt::lab {
namespace {

using testing::BenchmarkRun;
using ::testing::ElementsAre;

TEST(PreemptionTest, IsMeasuredBesideABareWakeUp) {
  const BenchmarkRun run("preemption", "200000000");
  if (!testing::realtime_available()) return testing::check_refusal(run);
  testing::check(run);
  for (const char * variant : {"takt", "wake-up"}) {
    EXPECT_THAT(run.xs(variant), ElementsAre(0)) << variant;
  }
  EXPECT_EQ(run.facts["grants"]["policy_in_use"], "fp");
  EXPECT_EQ(run.facts["grants"]["levels"], 3);  // one of them is for the node's services
}

TEST(PreemptionTest, TheLessUrgentThreadSpinsAloneForOthers) {
  if (!testing::realtime_available()) return;
  const testing::Folder folder;
  testing::Program program("preemption", {"--cpu", testing::a_cpu(), "--out", folder / "out",
                                          "--spin-alone-ns", "20000000"});
  EXPECT_EQ(program.wait(), 0) << program.err();
  EXPECT_FALSE(std::filesystem::exists(folder / "out/preemption.json"));
}

}  // namespace
}  // namespace takt::lab
