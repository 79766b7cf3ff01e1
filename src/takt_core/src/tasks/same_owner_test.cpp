// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/tasks/same_owner.hpp"

#include <gtest/gtest.h>

#include <memory>

namespace takt::tasks {
namespace {

TEST(SameOwnerTest, TellsObjectsApartEvenWhenTheyHaveGone) {
  auto one = std::make_shared<int>(1);
  const auto other = std::make_shared<int>(1);
  const std::weak_ptr<int> weak = one;
  const std::shared_ptr<const void> untyped = one;
  EXPECT_TRUE(same_owner(weak, one));
  EXPECT_TRUE(same_owner(untyped, weak));
  EXPECT_FALSE(same_owner(weak, other));
  const std::weak_ptr<const void> another = untyped;
  one.reset();
  EXPECT_TRUE(same_owner(weak, another));
  EXPECT_FALSE(same_owner(weak, other));
}

}  // namespace
}  // namespace takt::tasks
