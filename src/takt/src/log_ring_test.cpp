// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "log_ring.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <thread>
#include <vector>

namespace takt::detail {
namespace {

struct Entry {
  std::size_t producer = 0;
  std::uint64_t number = 0;
};
using Ring = LogRing<Entry>;

TEST(LogRingTest, GivesBackInOrderWhatWasPushed) {
  Ring ring(8);
  std::uint64_t expected = 0;
  for (std::uint64_t i = 0; i < 100; ++i) {
    ASSERT_TRUE(ring.push([&](Entry & e) { e.number = i; }));
    if (i % 3 != 2) continue;
    while (ring.pop([&](const Entry & e) { EXPECT_EQ(e.number, expected++); })) {
    }
  }
  while (ring.pop([&](const Entry & e) { EXPECT_EQ(e.number, expected++); })) {
  }
  EXPECT_EQ(expected, 100U);
  EXPECT_EQ(ring.dropped(), 0U);
}

TEST(LogRingTest, DropsAndCountsWhenFull) {
  Ring ring(4);
  for (std::uint64_t i = 0; i < 7; ++i) {
    EXPECT_EQ(ring.push([&](Entry & e) { e.number = i; }), i < 4);
  }
  EXPECT_EQ(ring.dropped(), 3U);
  std::vector<std::uint64_t> kept;
  while (ring.pop([&](const Entry & e) { kept.push_back(e.number); })) {
  }
  EXPECT_EQ(kept, (std::vector<std::uint64_t>{0, 1, 2, 3}));
  EXPECT_TRUE(ring.push([](Entry &) {}));
}

TEST(LogRingTest, RefusesACapacityThatIsNoPowerOfTwo) {
  EXPECT_THROW(Ring(0), std::invalid_argument);
  EXPECT_THROW(Ring(12), std::invalid_argument);
}

TEST(LogRingTest, NothingIsLostOrDoubledBetweenThreads) {
  constexpr std::size_t producers = 4;
  constexpr std::uint64_t each = 20'000;
  Ring ring(64);
  std::vector<std::uint64_t> pushed(producers, 0);
  std::atomic<std::size_t> running{producers};
  std::vector<std::thread> threads;
  for (std::size_t p = 0; p < producers; ++p) {
    threads.emplace_back([&, p] {
      for (std::uint64_t i = 0; i < each; ++i) {
        if (ring.push([&](Entry & e) { e = {p, pushed[p]}; })) ++pushed[p];
      }
      --running;
    });
  }
  std::vector<std::uint64_t> popped(producers, 0);
  const auto drain = [&] {
    while (ring.pop([&](const Entry & e) { ASSERT_EQ(e.number, popped.at(e.producer)++); })) {
    }
  };
  while (running > 0) drain();
  for (auto & thread : threads) thread.join();
  drain();
  EXPECT_EQ(popped, pushed);
  EXPECT_EQ(ring.pushed() + ring.dropped(), producers * each);
}

TEST(CopyTextTest, CutsAtTheEnd) {
  std::array<char, 4> to{};
  EXPECT_TRUE(copy_text(to, "abc"));
  EXPECT_STREQ(to.data(), "abc");
  EXPECT_FALSE(copy_text(to, "wxyz"));
  EXPECT_STREQ(to.data(), "wxy");
}

}  // namespace
}  // namespace takt::detail
