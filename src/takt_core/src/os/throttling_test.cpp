// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/os/throttling.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace takt::os {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

/// A kernel's files, made up for the test.
class ThrottlingTest : public ::testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove_all(root_); }

  void write(const std::string & path, const std::string & text) const {
    const std::filesystem::path file = root_ / path;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }
  void kernel(const std::string & release, int runtime) const {
    write("proc/sys/kernel/osrelease", release + "\n");
    write("proc/sys/kernel/sched_rt_runtime_us", std::to_string(runtime) + "\n");
    write("proc/sys/kernel/sched_rt_period_us", "1000000\n");
  }
  void server(int cpu, const std::string & runtime) const {
    const std::string folder = "sys/kernel/debug/sched/fair_server/cpu" + std::to_string(cpu);
    write(folder + "/runtime", runtime + "\n");
    write(folder + "/period", "1000000000\n");
  }
  std::string throttling() const { return realtime_throttling(root_); }
  std::string server_of(int cpu) const { return fair_server(cpu, root_); }

 private:
  const std::filesystem::path root_ =
      std::filesystem::temp_directory_path() / ("takt_throttling." + std::to_string(getpid()));
};

TEST_F(ThrottlingTest, OfThisHostEachIsOneLine) {
  EXPECT_THAT(realtime_throttling(), Not(HasSubstr("\n")));
  EXPECT_THAT(fair_server(0), Not(HasSubstr("\n")));
}

TEST_F(ThrottlingTest, IsToldWhereARuntimeIsBelowItsPeriod) {
  EXPECT_EQ(throttling(), "");
  kernel("6.1.0-40-amd64", 950'000);
  EXPECT_THAT(throttling(), AllOf(HasSubstr("at most 950000 of every 1000000 us"),
                                  HasSubstr("kernel.sched_rt_runtime_us=-1")));
  EXPECT_EQ(server_of(0), "") << "kernels before 6.12 have no fair server";
  kernel("6.1.0-40-amd64", -1);
  EXPECT_EQ(throttling(), "");
}

TEST_F(ThrottlingTest, IsNoneOfAKernelThatHasTheFairServerInstead) {
  kernel("6.12.1", 950'000);
  EXPECT_NE(throttling(), "") << "the configuration of the kernel is not known";
  write("boot/config-6.12.1", "CONFIG_A=y\n# CONFIG_RT_GROUP_SCHED is not set\n");
  EXPECT_EQ(throttling(), "");
  write("boot/config-6.12.1", "CONFIG_A=y\nCONFIG_RT_GROUP_SCHED=y\n");
  EXPECT_NE(throttling(), "");
  kernel("6.11.9", 950'000);
  write("boot/config-6.11.9", "CONFIG_A=y\n# CONFIG_RT_GROUP_SCHED is not set\n");
  EXPECT_NE(throttling(), "") << "kernels before 6.12 throttle whatever their configuration";
}

TEST_F(ThrottlingTest, HowTheKernelWasMadeMayBeToldByProc) {
  kernel("6.12.1", 950'000);
  // The gzip form of a configuration with CONFIG_A=y and without CONFIG_RT_GROUP_SCHED.
  constexpr char config[] =
      "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\x73\xf6\xf7\x73\xf3\x74\x8f\x77\xb4\xad\xe4\x52\x56"
      "\x70\x86\x70\x82\x42\xe2\xdd\x83\xfc\x43\x03\xe2\x83\x9d\x3d\x5c\x5d\x14\x32\x8b\x15\xf2\xf2"
      "\x4b\x14\x8a\x53\x4b\xb8\x00\x89\xba\xfc\x6d\x2e\x00\x00\x00";
  write("proc/config.gz", std::string(config, sizeof config - 1));
  EXPECT_EQ(throttling(), "");
  write("proc/config.gz", "none");
  EXPECT_NE(throttling(), "");
}

TEST_F(ThrottlingTest, TheFairServerOfTheCpuIsToldWithItsShareAndRemedy) {
  kernel("6.12.1", -1);
  server(0, "50000000");
  server(1, "0");
  EXPECT_THAT(server_of(0), AllOf(HasSubstr("50 of every 1000 ms of CPU 0"),
                                  HasSubstr("whether throttling is on or off"),
                                  HasSubstr("takt tune apply --profile unthrottled --cpu 0")));
  EXPECT_EQ(server_of(1), "") << "the fair server of this CPU is off";
  EXPECT_EQ(server_of(2), "") << "this CPU has no fair server";
}

TEST_F(ThrottlingTest, AFairServerThatIsNotToldHasItsDefault) {
  kernel("6.12.1", -1);
  EXPECT_THAT(server_of(3), AllOf(HasSubstr("the fair server may be on, as debugfs cannot be read"),
                                  HasSubstr("50 of every 1000 ms (the default) of CPU 3")));
  write("sys/kernel/debug/sched/preempt", "none\n");
  EXPECT_EQ(server_of(3), "") << "debugfs is readable and lacks it, so the kernel has none";
  // As under kernel lockdown: the file exists and cannot be read.
  server(3, "");
  EXPECT_THAT(server_of(3), HasSubstr("may be on, as debugfs cannot be read"));
}

}  // namespace
}  // namespace takt::os
