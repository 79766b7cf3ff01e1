// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// Memory that a component maps and does not use costs nothing, although the container locks its
// memory.
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/wait.h>

#include <cstdint>
#include <fstream>
#include <string>

#include "takt_core/os/testing/sanitized.hpp"
#include "testing/container.hpp"

namespace takt::rclcpp {
namespace {

using testing::LoadNode;

class ContainerMemoryTest : public testing::ContainerTest {
 protected:
  /// The resident memory of the container, in MiB.
  std::uint64_t resident() const {
    std::ifstream status("/proc/" + std::to_string(pid_) + "/status");
    std::string word;
    std::uint64_t kilobytes = 0;
    while (status >> word && word != "VmRSS:") {
    }
    status >> kilobytes;
    return kilobytes / 1024;
  }
};

TEST_F(ContainerMemoryTest, ALargeComponentCostsWhatItTouches) {
  // The component's stacks alone are larger, and its gibibyte is much larger.
  constexpr std::uint64_t bound = 200;
  start_container({});
  const auto loader = start_asking();
  ASSERT_NE(loader, nullptr);
  ASSERT_TRUE(says("schedules by policy")) << said();
  const std::uint64_t before = resident();
  EXPECT_GT(before, 0U);
  if (said().find("memory locked") == std::string::npos) {
    EXPECT_THAT(said(), ::testing::HasSubstr("memory not locked"));
    end(SIGINT);
    stop();
    GTEST_SKIP() << "needs the right to lock memory";
  }
  // It is 46 MiB with Fast DDS, and 51 MiB with Cyclone DDS. All mapped memory is fifteen times
  // that.
  constexpr std::uint64_t empty = 75;
  if (!os::testing::sanitized) {
    EXPECT_LT(before, empty);
  }
  const auto response = load(*loader, "takt_test::Large");
  ASSERT_NE(response, nullptr);
  ASSERT_TRUE(response->success) << response->error_message;
  EXPECT_LT(resident(), before + bound);
  const int status = end(SIGINT);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status << said();
  stop();
}

}  // namespace
}  // namespace takt::rclcpp
