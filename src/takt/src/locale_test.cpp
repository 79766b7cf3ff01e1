// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// Numbers as data are read and written with a decimal point, whatever locale the program sets.
#include <gtest/gtest.h>

#include <unistd.h>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "takt/takt.hpp"
#include "takt_core/os/testing/comma_locale.hpp"
#include "testing/background.hpp"

namespace takt {
namespace {

class LocaleTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!locale_.holds()) GTEST_SKIP() << locale_.why_not;
  }

  const os::testing::CommaLocale locale_;
};

TEST_F(LocaleTest, ParametersFromOutsideAreNumbers) {
  const std::string file =
      std::filesystem::temp_directory_path() / ("takt_locale." + std::to_string(getpid()));
  std::ofstream(file) << "/**:\n  ros__parameters:\n    of_file: 0.25\n";
  const auto context = testing::make_context(
      {"program", "--ros-args", "-p", "kp:=1.5", "--params-file", file.c_str()});
  std::filesystem::remove(file);
  Node node("n", {.context = context, .arguments = {"--ros-args", "-p", "own:=2.5"}});
  EXPECT_EQ(node.declare_parameter("kp", 0.0), 1.5);
  EXPECT_EQ(node.declare_parameter("of_file", 0.0), 0.25);
  EXPECT_EQ(node.declare_parameter("own", 0.0), 2.5);
  // The program's own numbers are still written as it wants them.
  char text[8];
  std::snprintf(text, sizeof text, "%.1f", 0.5);
  EXPECT_STREQ(text, "0,5");
}

TEST_F(LocaleTest, WhatIsTold) {
  EXPECT_EQ(to_string(ParameterValue(12345)), "12345");
  EXPECT_EQ(to_string(ParameterValue(std::vector<double>{1234.5})), "[1234.5]");
}

}  // namespace
}  // namespace takt
