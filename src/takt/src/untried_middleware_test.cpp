// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// This program pretends to use a middleware with which takt was never tested: it replaces the
// function that returns the middleware's name.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rmw/rmw.h>

#include <string>

#include "takt/context.hpp"
#include "testing/background.hpp"

extern "C" [[gnu::visibility("default")]] const char * rmw_get_implementation_identifier() {
  return "rmw_zenoh_cpp";
}

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
