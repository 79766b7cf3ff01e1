// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// Over a middleware with which takt was never tested, as which untried_middleware_replacements.cpp
// presents the one in use.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rmw/rmw.h>

#include <rclcpp/context.hpp>
#include <string>

#include "takt_rclcpp/scheduling_executor.hpp"

namespace takt::rclcpp {
namespace {

TEST(UntriedMiddlewareTest, IsNamedOnceInAWarning) {
  setenv("ROS_AUTOMATIC_DISCOVERY_RANGE", "LOCALHOST", 1);
  const auto context = std::make_shared<::rclcpp::Context>();
  context->init(0, nullptr);
  ::rclcpp::ExecutorOptions options;
  options.context = context;
  ::testing::internal::CaptureStderr();
  { const SchedulingExecutor executor(options); }
  const std::string first = ::testing::internal::GetCapturedStderr();
  EXPECT_THAT(first, ::testing::HasSubstr("WARN"));
  EXPECT_THAT(first, ::testing::HasSubstr("[takt]: takt was never tried over 'rmw_zenoh_cpp'"));
  ::testing::internal::CaptureStderr();
  { const SchedulingExecutor executor(options); }
  EXPECT_THAT(::testing::internal::GetCapturedStderr(),
              ::testing::Not(::testing::HasSubstr("tried")));
  context->shutdown("the test ends");
}

}  // namespace
}  // namespace takt::rclcpp
