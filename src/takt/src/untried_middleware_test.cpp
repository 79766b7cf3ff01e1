// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// Over a middleware with which takt was never tested, as which untried_middleware_replacements.cpp
// presents the one in use.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rmw/rmw.h>

#include <string>

#include "takt/context.hpp"
#include "testing/background.hpp"

namespace takt {
namespace {

TEST(UntriedMiddlewareTest, IsNamedOnceInAWarning) {
  ASSERT_STREQ(rmw_identifier(), "rmw_zenoh_cpp");
  ::testing::internal::CaptureStderr();
  testing::make_context();
  const std::string first = ::testing::internal::GetCapturedStderr();
  EXPECT_THAT(first, ::testing::HasSubstr("WARN"));
  EXPECT_THAT(first, ::testing::HasSubstr("[takt]: takt was never tried over 'rmw_zenoh_cpp'"));
  ::testing::internal::CaptureStderr();
  testing::make_context();
  EXPECT_THAT(::testing::internal::GetCapturedStderr(),
              ::testing::Not(::testing::HasSubstr("tried")));
}

}  // namespace
}  // namespace takt
