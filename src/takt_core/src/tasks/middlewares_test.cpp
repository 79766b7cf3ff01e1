// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/tasks/middlewares.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace takt::tasks {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

TEST(MiddlewaresTest, OnlyWhatWasTriedIsKnown) {
  EXPECT_TRUE(was_tried("rmw_fastrtps_cpp"));
  EXPECT_TRUE(was_tried("rmw_cyclonedds_cpp"));
  EXPECT_FALSE(was_tried("rmw_zenoh_cpp"));
  EXPECT_FALSE(was_tried("rmw_fastrtps"));
  EXPECT_FALSE(was_tried(""));
}

TEST(MiddlewaresTest, OfOneThatIsNotKnownTheCarefulIsTaken) {
  for (const char * rmw : {"rmw_fastrtps_cpp", "rmw_fastrtps_dynamic_cpp"}) {
    EXPECT_TRUE(counts_inside_at_once(rmw) && graph_is_immediate(rmw) && forgets_events(rmw));
  }
  EXPECT_TRUE(counts_inside_at_once("rmw_cyclonedds_cpp"));
  for (const char * rmw : {"rmw_cyclonedds_cpp", "rmw_zenoh_cpp", "rmw", ""}) {
    EXPECT_FALSE(graph_is_immediate(rmw) || forgets_events(rmw)) << rmw;
  }
  EXPECT_FALSE(counts_inside_at_once("rmw_zenoh_cpp"));
}

TEST(MiddlewaresTest, AnotherIsNamedOnceInAProcess) {
  EXPECT_THAT(warn_once_of_untried("rmw_cyclonedds_cpp"), IsEmpty());
  const std::string line = warn_once_of_untried("rmw_zenoh_cpp");
  EXPECT_THAT(line, HasSubstr("takt was never tried over 'rmw_zenoh_cpp'"));
  EXPECT_THAT(line, HasSubstr("tried were rmw_fastrtps_cpp, rmw_cyclonedds_cpp"));
  EXPECT_THAT(line, Not(HasSubstr("\n")));
  EXPECT_THAT(warn_once_of_untried("rmw_connextdds"), IsEmpty());
}

}  // namespace
}  // namespace takt::tasks
