// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/model/stable_array.hpp"

#include <gtest/gtest.h>

namespace takt::model {
namespace {

TEST(StableArrayTest, GrowsAndMovesNothing) {
  StableArray<int, 4> array;
  array.make_room(3);
  array[2] = 7;
  const int * place = &array[2];
  array.make_room(1000);
  EXPECT_EQ(&array[2], place);
  EXPECT_EQ(array[2], 7);
  EXPECT_EQ(array[999], 0);
}

TEST(StableArrayTest, SaysWhatIsTooMuch) {
  StableArray<int> array;
  EXPECT_THROW(array.make_room(StableArray<int>::most + 1), std::length_error);
}

}  // namespace
}  // namespace takt::model
