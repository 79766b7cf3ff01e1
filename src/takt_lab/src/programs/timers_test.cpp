// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "npy.hpp"
#include "testing/cpu_times.hpp"
#include "testing/no_rclcpp.hpp"
#include "testing/parameter_name.hpp"
#include "testing/program_run.hpp"

namespace takt::lab {
namespace {

using testing::Folder;
using testing::Program;

class TimersTest : public ::testing::TestWithParam<const char *> {
 protected:
  std::vector<std::string> arguments(const std::string & duration) const {
    return {"--executor", GetParam(),    "--callbacks",    "6",        "--nodes",
            "2",          "--period-ns", "10000000",       "--phases", "spread",
            "--tag",      "t",           "--duration-ns",  duration,   "--warmup-ns",
            "50000000",   "--cpu",       testing::a_cpu(), "--out",    folder_ / "out"};
  }
  Folder folder_;
};

TEST_P(TimersTest, HasEveryRelease) {
  Program program("timers", arguments("300000000"));
  ASSERT_EQ(program.wait(), 0) << program.err();
  const auto json = nlohmann::json::parse(testing::text_of(folder_ / "out/t.json"));
  const auto jobs = read_npy<JobRow>(folder_ / "out/t.jobs.npy");
  EXPECT_EQ(jobs.size(), 6u * 35u);
  const std::int64_t t0 = json["t0"];
  EXPECT_TRUE(program.printed("t0 " + std::to_string(t0)));
  EXPECT_EQ(json["window"]["from"], t0 + 50'000'000);
  EXPECT_EQ(json["window"]["to"], t0 + 350'000'000);
  EXPECT_EQ(json["releases"]["releases"], 6 * 30);
  std::uint64_t run = 0;
  for (const JobRow & job : jobs) {
    EXPECT_EQ(job.release,
              t0 + job.task * 10'000'000LL / 6 + static_cast<std::int64_t>(job.index) * 10'000'000);
    if (job.start < 0) {
      EXPECT_NE(job.flags, 0u);
      continue;
    }
    EXPECT_GE(job.start, job.release);
    if (job.release >= json["window"]["from"]) ++run;
  }
  EXPECT_EQ(json["jobs"], run);
  EXPECT_GT(run, 0u);
  testing::check_cpu_times(json);
  EXPECT_GT(json["cpu_ns"]["executor"], 0);
  if (std::string(GetParam()).starts_with("floor")) {
    EXPECT_EQ(json["cpu_ns"]["middleware"], 0);
  }
}

TEST_P(TimersTest, ASignalLeavesNothing) {
  Program program("timers", arguments("60000000000"));
  ASSERT_TRUE(program.has_thread("lab.overseer")) << program.err();
  program.terminate();
  EXPECT_EQ(program.wait(), 1);
  EXPECT_NE(program.err().find("timers: interrupted"), std::string::npos) << program.err();
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out/t.json"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out/t.jobs.npy"));
}

INSTANTIATE_TEST_SUITE_P(Executors, TimersTest,
                         ::testing::Values("takt", "stock", "floor-loop", "floor-wakeup"),
                         testing::by_parameter);

class TimersOfRclcppTest : public TimersTest {};

TEST_P(TimersOfRclcppTest, RunOrSayThatThereIsNoRclcpp) {
  Program program("timers", arguments("300000000"));
  if (program.wait() != 0) return testing::expect_no_rclcpp(program);
  const auto json = nlohmann::json::parse(testing::text_of(folder_ / "out/t.json"));
  EXPECT_EQ(json["releases"]["releases"], 6 * 30);
  const auto jobs = read_npy<JobRow>(folder_ / "out/t.jobs.npy");
  EXPECT_EQ(jobs.size(), 6u * 35u);
  std::uint64_t run = 0;
  for (const JobRow & job : jobs) {
    if (job.start < 0 || job.release < json["window"]["from"]) continue;
    // Under rclcpp's executors, a job belongs to the nearest release, which may be half a period later.
    EXPECT_GE(job.start, job.release - 5'000'000);
    ++run;
  }
  EXPECT_EQ(json["jobs"], run);
  EXPECT_GT(run, 0u);
}

INSTANTIATE_TEST_SUITE_P(Executors, TimersOfRclcppTest,
                         ::testing::Values("takt-rclcpp", "rclcpp-single", "rclcpp-multi",
                                           "rclcpp-events", "floor-rclcpp"),
                         testing::by_parameter);

TEST(TimersErrorsTest, AreOneLine) {
  const Folder folder;
  const std::vector<std::string> most = {
      "--callbacks",    "1000",  "--period-ns",  "1",     "--cpu",
      testing::a_cpu(), "--out", folder / "out", "--tag", "t"};
  const struct {
    std::vector<std::string> more;
    const char * error;
  } cases[] = {
      {{"--executor", "takt", "--duration-ns", "1000000000"},
       "the run has 2000000000000 releases, more than 10000000: shorten it or raise --rows"},
      {{"--executor", "best", "--duration-ns", "1"}, "best not in"},
  };
  for (const auto & item : cases) {
    std::vector<std::string> arguments = most;
    arguments.insert(arguments.end(), item.more.begin(), item.more.end());
    Program program("timers", arguments);
    EXPECT_NE(program.wait(), 0);
    EXPECT_NE(program.err().find(item.error), std::string::npos) << program.err();
    EXPECT_EQ(testing::lines(program.err()), 1) << program.err();
  }
}

}  // namespace
}  // namespace takt::lab
