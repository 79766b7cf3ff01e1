// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "testing/benchmark_run.hpp"

namespace takt::lab {
namespace {

using testing::BenchmarkRun;
using ::testing::ElementsAre;
using testing::Folder;
using testing::Program;

class InProcessTransportTest : public ::testing::TestWithParam<const char *> {};

TEST_P(InProcessTransportTest, MeasuresEachSize) {
  const BenchmarkRun run("transport", "1000000", {"--way", GetParam(), "--sizes", "16", "70000"});
  testing::check(run);
  EXPECT_THAT(run.xs(GetParam()), ElementsAre(16, 70000));
}

INSTANTIATE_TEST_SUITE_P(Transport, InProcessTransportTest,
                         ::testing::Values("takt", "stock", "copy"));

TEST(TransportTest, MeasuresBetweenProcesses) {
  const Folder folder;
  const std::string pipe = folder / "replies";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const std::vector<std::string> more = {"--way",   "middleware", "--replies", pipe,
                                         "--sizes", "16",         "70000"};
  std::vector<std::string> far = {"--cpu", testing::a_cpu(), "--side",
                                  "far",   "--out",          folder / "far"};
  far.insert(far.end(), more.begin(), more.end());
  Program other("transport", far);
  const BenchmarkRun run("transport", "1000000", more);
  testing::check(run);
  EXPECT_THAT(run.xs("middleware"), ElementsAre(16, 70000));
  EXPECT_EQ(other.wait(), 0) << other.err();
}

TEST(TransportTest, NeedsAPipeBetweenProcesses) {
  const BenchmarkRun run("transport", "1000000", {"--way", "middleware"});
  EXPECT_EQ(run.status, 1);
  EXPECT_NE(run.err.find("--replies"), std::string::npos) << run.err;
}

}  // namespace
}  // namespace takt::lab
