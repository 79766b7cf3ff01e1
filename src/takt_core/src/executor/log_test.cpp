// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "log.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace takt::executor {
namespace {

using ::testing::ElementsAre;

TEST(LogTest, WhatMayNotBeWrittenNowIsKept) {
  std::vector<std::string> lines;
  Log log([&](const std::string & line) { lines.push_back(line); });
  log.write_later("first");
  log.write("second");
  EXPECT_THAT(lines, ElementsAre("second"));
  log.flush();
  log.flush();
  EXPECT_THAT(lines, ElementsAre("second", "first"));
}

TEST(LogTest, IsBoundedAndSaysSo) {
  std::vector<std::string> lines;
  Log log([&](const std::string & line) { lines.push_back(line); });
  for (int i = 0; i < 100; ++i) log.write_later("line");
  log.flush();
  ASSERT_EQ(lines.size(), 65U);
  EXPECT_EQ(lines.back(), "36 further warnings were dropped");
}

}  // namespace
}  // namespace takt::executor
