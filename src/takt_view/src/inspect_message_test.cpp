// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "inspect_message.hpp"

#include <gtest/gtest.h>

namespace takt::view {
namespace {

TEST(InspectMessageTest, WhatJobsLostInTheMiddlewareIsToldOfEachProcessor) {
  tasks::Inspection inspection;
  inspection.processors.resize(2);
  executor::Statistics & statistics = inspection.processors[1].statistics;
  statistics.deferred = 3;
  statistics.overlong_sections = 2;
  statistics.entity_waits = 5;
  statistics.longest_wait_ns = 700;
  takt_msgs::srv::Inspect::Response message;
  fill(message, inspection);
  ASSERT_EQ(message.processors.size(), 2U);
  EXPECT_EQ(message.processors[0].deferred, 0U);
  EXPECT_EQ(message.processors[1].deferred, 3U);
  EXPECT_EQ(message.processors[1].overlong_sections, 2U);
  EXPECT_EQ(message.processors[1].entity_waits, 5U);
  EXPECT_EQ(message.processors[1].longest_wait_ns, 700);
}

TEST(InspectMessageTest, WaitsForMutexesMayNotBeKnown) {
  tasks::Inspection inspection;
  takt_msgs::srv::Inspect::Response message;
  fill(message, inspection);
  EXPECT_EQ(message.lock_waits, -1);
  inspection.lock_waits = {
      .waits = 7, .longest_ns = 900, .where = "write() in libx.so", .held_by = "copy() in liby.so"};
  fill(message, inspection);
  EXPECT_EQ(message.lock_waits, 7);
  EXPECT_EQ(message.longest_lock_wait_ns, 900);
  EXPECT_EQ(message.longest_lock_wait_in, "write() in libx.so");
  EXPECT_EQ(message.longest_lock_held_by, "copy() in liby.so");
}

}  // namespace
}  // namespace takt::view
