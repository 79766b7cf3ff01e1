// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// What the tutorial shows runs as it says.
#include <gmock/gmock.h>

#include <array>
#include <cstdio>
#include <string>
#include <utility>

namespace takt::rclcpp {
namespace {

using ::testing::HasSubstr;

/// Of `priorities`: what it printed, and its status.
std::pair<std::string, int> run(const std::string & file) {
  std::string command = TAKT_EXAMPLE;
  command.append(" ").append(file).append(" 1 2>&1");
  std::string text;
  FILE * out = popen(command.c_str(), "r");
  std::array<char, 256> buffer;
  while (std::fgets(buffer.data(), buffer.size(), out) != nullptr) text += buffer.data();
  return {text, pclose(out)};
}

TEST(Priorities, RunsTheSameNodesUnderBothExecutors) {
  const auto [text, status] = run(TAKT_EXAMPLES "/schedule.yaml");
  EXPECT_EQ(status, 0) << text;
  EXPECT_THAT(text, HasSubstr("rclcpp: "));
  EXPECT_THAT(text, HasSubstr("takt: "));
}

TEST(Priorities, SaysWhichFileIsMissing) {
  const auto [text, status] = run("/nowhere.yaml");
  EXPECT_NE(status, 0);
  EXPECT_THAT(text, HasSubstr("priorities: "));
  EXPECT_THAT(text, HasSubstr("/nowhere.yaml"));
}

}  // namespace
}  // namespace takt::rclcpp
