// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/model/shared_array.hpp"

#include <gtest/gtest.h>

#include <cstddef>

namespace takt::model {
namespace {

using Numbers = SharedArray<std::size_t, 4>;

Numbers up_to(std::size_t size) {
  Numbers numbers;
  for (std::size_t i = 0; i < size; ++i) numbers.push_back(i);
  return numbers;
}

TEST(SharedArrayTest, HoldsWhatItIsGiven) {
  const Numbers numbers = up_to(9);
  ASSERT_EQ(numbers.size(), 9u);
  for (std::size_t i = 0; i < 9; ++i) EXPECT_EQ(numbers[i], i);
}

TEST(SharedArrayTest, ACopyDoesNotSeeWhatTheOtherChanges) {
  Numbers numbers = up_to(9);
  const Numbers before = numbers;
  numbers.edit(5) = 50;
  numbers.push_back(90);
  EXPECT_EQ(before.size(), 9u);
  EXPECT_EQ(before[5], 5u);
  EXPECT_EQ(numbers[5], 50u);
  EXPECT_EQ(numbers[4], 4u);
  EXPECT_EQ(numbers[9], 90u);
}

TEST(SharedArrayTest, ACopySharesWhatIsNotChanged) {
  Numbers numbers = up_to(9);
  const Numbers before = numbers;
  numbers.edit(5) = 50;
  EXPECT_EQ(&numbers[3], &before[3]);
  EXPECT_NE(&numbers[4], &before[4]);
  EXPECT_EQ(&numbers[8], &before[8]);
}

TEST(SharedArrayTest, AnEditOfWhatNobodySharesMovesNothing) {
  Numbers numbers = up_to(9);
  const std::size_t * place = &numbers[5];
  numbers.edit(5) = 50;
  EXPECT_EQ(&numbers[5], place);
}

TEST(SharedArrayTest, FindsTheFirst) {
  const Numbers numbers = up_to(9);
  EXPECT_EQ(numbers.find_if([](std::size_t each) { return each >= 6; }), 6u);
  EXPECT_EQ(numbers.find_if([](std::size_t each) { return each > 8; }), 9u);
}

}  // namespace
}  // namespace takt::model
