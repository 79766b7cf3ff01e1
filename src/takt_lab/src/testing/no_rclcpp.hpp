// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gmock/gmock.h>

#include <cstdlib>

#include "program_run.hpp"

namespace takt::lab::testing {

/// Checks that a program has failed because the lab was built without rclcpp, and that its error output says
/// so in one line. If TAKT_REQUIRE_RCLCPP is set, that is a failure of the test.
inline void expect_no_rclcpp(const std::string & err) {
  EXPECT_THAT(err, ::testing::HasSubstr("takt was built without rclcpp"));
  EXPECT_EQ(lines(err), 1) << err;
  EXPECT_EQ(std::getenv("TAKT_REQUIRE_RCLCPP"), nullptr) << err;
}
inline void expect_no_rclcpp(const Program & program) {
  expect_no_rclcpp(program.err());
}

}  // namespace takt::lab::testing
