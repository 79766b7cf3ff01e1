// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// The examples that the tutorial shows run as it says.
#include <gmock/gmock.h>

#include <array>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

namespace takt::rclcpp {
namespace {

using ::testing::HasSubstr;

/// Returns the output of a command, and its exit status.
std::pair<std::string, int> output(const std::string & command) {
  std::string text;
  FILE * out = popen(command.c_str(), "r");
  std::array<char, 256> buffer;
  while (std::fgets(buffer.data(), buffer.size(), out) != nullptr) text += buffer.data();
  return {text, pclose(out)};
}

/// Runs the example `priorities` with this strategy file, for 1 s under each executor.
std::pair<std::string, int> run(const std::string & file) {
  std::string command = TAKT_EXAMPLE " ";
  return output(command.append(file).append(" 1 2>&1"));
}

std::vector<std::string> lines(const std::string & file) {
  std::ifstream in(file);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

TEST(PrioritiesTest, RunsTheSameNodesUnderBothExecutors) {
  const auto [text, status] = run(TAKT_EXAMPLES "/schedule.yaml");
  EXPECT_EQ(status, 0) << text;
  EXPECT_THAT(text, HasSubstr("rclcpp: "));
  EXPECT_THAT(text, HasSubstr("takt: "));
}

TEST(PrioritiesTest, SaysWhichFileIsMissing) {
  const auto [text, status] = run("/nowhere.yaml");
  EXPECT_NE(status, 0);
  EXPECT_THAT(text, HasSubstr("priorities: "));
  EXPECT_THAT(text, HasSubstr("/nowhere.yaml"));
}

TEST(LaunchFileTest, IsScheduledByOneChangedLine) {
  const auto stock = lines(TAKT_EXAMPLES "/stock.launch.xml");
  const auto scheduled = lines(TAKT_EXAMPLES "/scheduled.launch.xml");
  ASSERT_EQ(stock.size(), scheduled.size());
  std::size_t changed = 0;
  for (std::size_t i = 0; i < stock.size(); ++i) changed += stock[i] != scheduled[i] ? 1 : 0;
  EXPECT_EQ(changed, 1u);
}

// Each launch file runs until the control loop has run some cycles. Then it is ended as by Ctrl-C,
// and the controller logs its summary.
TEST(LaunchFileTest, RunsTheNodesInBothContainers) {
  if (std::system("python3 -c 'import launch_ros, launch_xml' 2>/dev/null") != 0) {
    GTEST_SKIP() << "there is no launch_ros: source a ROS 2 that has it";
  }
  for (const char * const file : {"/stock.launch.xml", "/scheduled.launch.xml"}) {
    std::string command =
        "timeout -k 10 120 python3 " TAKT_TEST_FOLDER "/run_launch_file.py " TAKT_EXAMPLES;
    const auto [text, status] = output(command.append(file).append(" 2>&1"));
    EXPECT_THAT(text, ::testing::ContainsRegex("[1-9][0-9]* cycles of the control loop, ")) << file;
    EXPECT_EQ(status, 0) << text;
    EXPECT_THAT(text, ::testing::Not(HasSubstr("ERROR"))) << file;
    EXPECT_EQ(text.find("schedule.yaml, scenario 'drive'") != text.npos,
              std::string(file) == "/scheduled.launch.xml")
        << text;
    EXPECT_THAT(text, ::testing::Not(HasSubstr("schedule.yaml:"))) << file;
  }
}

}  // namespace
}  // namespace takt::rclcpp
