// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "row_ring.hpp"

#include <gtest/gtest.h>

#include <thread>

namespace takt::lab {
namespace {

TEST(RowRingTest, KeepsOrderAndCountsWhatFindsNoRoom) {
  RowRing<int> ring(3);
  int row = 0;
  EXPECT_FALSE(ring.pop(row));
  for (int i = 1; i <= 6; ++i) ring.push(i);
  EXPECT_EQ(ring.dropped(), 2u);
  for (int i = 1; i <= 4; ++i) {
    ASSERT_TRUE(ring.pop(row));
    EXPECT_EQ(row, i);
  }
  EXPECT_FALSE(ring.pop(row));
  ring.push(7);
  ASSERT_TRUE(ring.pop(row));
  EXPECT_EQ(row, 7);
}

TEST(RowRingTest, HandsOnFromOneThreadToAnother) {
  constexpr int count = 100'000;
  RowRing<int> ring(64);
  std::thread writer([&ring] {
    for (int i = 0; i < count;) {
      const std::uint64_t before = ring.dropped();
      ring.push(i);
      if (ring.dropped() == before) ++i;
    }
  });
  for (int expected = 0; expected < count;) {
    int row = -1;
    if (!ring.pop(row)) continue;
    ASSERT_EQ(row, expected);
    ++expected;
  }
  writer.join();
}

}  // namespace
}  // namespace takt::lab
