// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "middleware_waits.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace takt::executor {
namespace {

using Found = MiddlewareWaits::Found;
using Kind = MiddlewareWaits::Kind;

const auto topic = std::make_shared<const std::string>("/topic");

TEST(MiddlewareWaitsTest, AllAreCountedAndThoseAboveTheBoundAreKeptUntilTaken) {
  MiddlewareWaits waits(100);
  waits.waited({Kind::entity, TaskId{1}, TaskId{2}, topic, 40});
  waits.overran({Kind::section, TaskId{3}, TaskId::none, topic, 500});
  EXPECT_TRUE(waits.take().empty())
      << "the wait is within the bound, and the section deferred no start";
  waits.waited({Kind::entity, TaskId{1}, TaskId{2}, topic, 140});
  waits.overran({Kind::section, TaskId{3}, TaskId{1}, topic, 600});
  EXPECT_EQ(waits.entity_waits(), 2U);
  EXPECT_EQ(waits.longest_wait(), 140);
  EXPECT_EQ(waits.overlong_sections(), 2U);
  const auto found = waits.take();
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[1].kind, Kind::entity);
  EXPECT_EQ(found[1].other, TaskId{2});
  EXPECT_EQ(found[0].kind, Kind::section);
  EXPECT_EQ(found[0].length, 600);
  EXPECT_TRUE(waits.take().empty());
}

TEST(MiddlewareWaitsTest, OfEachTwoTasksAndEntityTheLongestIsKeptAndWhatFindsNoRoomIsCounted) {
  MiddlewareWaits waits(10);
  for (const model::Duration length : {20, 50, 30}) {
    waits.waited({Kind::entity, TaskId{1}, TaskId{2}, topic, length});
  }
  auto found = waits.take();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].length, 50);
  // One long section may delay the starts of several tasks.
  waits.overran({Kind::section, TaskId{1}, TaskId{2}, topic, 40});
  waits.overran({Kind::section, TaskId{1}, TaskId{3}, topic, 30});
  EXPECT_EQ(waits.take().size(), 2U);
  for (std::uint32_t task = 0; task < 100; ++task) {
    waits.waited({Kind::entity, TaskId{task}, TaskId::none, topic, 60});
  }
  EXPECT_EQ(waits.entity_waits(), 103U);
  EXPECT_THAT(waits.take(),
              ::testing::SizeIs(::testing::AllOf(::testing::Gt(5U), ::testing::Lt(100U))));
}

}  // namespace
}  // namespace takt::executor
