// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "levels.hpp"

#include <gtest/gtest.h>

namespace takt::model {
namespace {

TEST(LevelsTest, AreDenseAndInOrderOfRank) {
  const Levels levels({-100, 7, 7, 50, -100, 8}, 45);
  EXPECT_EQ(levels.count(), 4u);
  EXPECT_EQ(levels.merged(), 0u);
  EXPECT_EQ(levels.of(-100), 1u);
  EXPECT_EQ(levels.of(7), 2u);
  EXPECT_EQ(levels.of(8), 3u);
  EXPECT_EQ(levels.of(50), 4u);
}

TEST(LevelsTest, MergeNeighboursEvenlyWhereRanksOutnumberThem) {
  const Levels levels({1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, 4);
  EXPECT_EQ(levels.count(), 4u);
  EXPECT_EQ(levels.merged(), 6u);
  std::vector<Level> all;
  for (std::int64_t rank = 1; rank <= 10; ++rank) all.push_back(levels.of(rank));
  EXPECT_EQ(all, (std::vector<Level>{1, 1, 1, 2, 2, 3, 3, 3, 4, 4}));
}

TEST(LevelsTest, UseEveryLevelWhateverTheNumbers) {
  for (std::int64_t ranks = 1; ranks <= 100; ++ranks) {
    std::vector<std::int64_t> all(static_cast<std::size_t>(ranks));
    for (std::int64_t i = 0; i < ranks; ++i) all[static_cast<std::size_t>(i)] = i;
    for (const Level most : {1u, 2u, 7u, 45u}) {
      const Levels levels(all, most);
      Level last = 1;
      EXPECT_EQ(levels.of(0), 1u);
      for (std::int64_t i = 0; i < ranks; ++i) {
        EXPECT_TRUE(levels.of(i) == last || levels.of(i) == last + 1);
        last = levels.of(i);
      }
      EXPECT_EQ(last, levels.count());
      EXPECT_EQ(levels.count(), std::min<std::size_t>(all.size(), most));
    }
  }
}

TEST(LevelsTest, ThereIsAlwaysOne) {
  EXPECT_EQ(Levels().count(), 1u);
  EXPECT_EQ(Levels({}, 45).count(), 1u);
  EXPECT_EQ(Levels({}, 45).merged(), 0u);
}

}  // namespace
}  // namespace takt::model
