// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "tlsf.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>
#include <vector>

namespace takt::lab {
namespace {

struct Free {
  void operator()(void * memory) const { std::free(memory); }
};

struct TlsfTest : ::testing::Test {
  static constexpr std::size_t bytes = 1 << 20;
  std::unique_ptr<void, Free> memory{std::aligned_alloc(Tlsf::alignment, bytes)};
  Tlsf tlsf;
  void SetUp() override { tlsf.add(memory.get(), bytes); }
};

TEST_F(TlsfTest, GivesAllOfItAndTakesItBack) {
  EXPECT_EQ(tlsf.check(), "");
  void * most = tlsf.allocate(bytes / 2);
  ASSERT_NE(most, nullptr);
  EXPECT_TRUE(tlsf.owns(most));
  EXPECT_EQ(tlsf.allocate(bytes / 2), nullptr);
  EXPECT_EQ(tlsf.allocate(~std::size_t{0}), nullptr);
  tlsf.release(most);
  EXPECT_EQ(tlsf.used(), 0u);
  EXPECT_EQ(tlsf.check(), "");
  EXPECT_FALSE(tlsf.owns(&tlsf));
}

TEST_F(TlsfTest, TakesEverySize) {
  for (std::size_t size = 0; size < 5'000; ++size) {
    void * given = tlsf.allocate(size);
    ASSERT_NE(given, nullptr);
    ASSERT_EQ(reinterpret_cast<std::uintptr_t>(given) % Tlsf::alignment, 0u);
    std::memset(given, 0xff, size);
    ASSERT_EQ(tlsf.check(), "") << size;
    tlsf.release(given);
  }
  EXPECT_EQ(tlsf.check(), "");
}

TEST_F(TlsfTest, KeepsWhatIsWrittenThroughRandomSequences) {
  const unsigned seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  struct Given {
    unsigned char * place;
    std::size_t size;
    unsigned char mark;
  };
  std::vector<Given> given;
  std::size_t refused = 0;
  for (int step = 0; step < 20'000; ++step) {
    if (given.empty() || random() % 100 < 55) {
      const std::size_t size = random() % (std::size_t{1} << (random() % 17));
      auto * place = static_cast<unsigned char *>(tlsf.allocate(size));
      if (place == nullptr) {
        ++refused;
        continue;
      }
      const auto mark = static_cast<unsigned char>(random());
      std::memset(place, mark, size);
      given.push_back({place, size, mark});
    } else {
      std::swap(given[random() % given.size()], given.back());
      const Given back = given.back();
      given.pop_back();
      for (std::size_t i = 0; i < back.size; ++i) ASSERT_EQ(back.place[i], back.mark);
      tlsf.release(back.place);
    }
    if (step % 50 == 0) {
      ASSERT_EQ(tlsf.check(), "") << step;
    }
  }
  EXPECT_GT(refused, 0u);
  for (const Given & each : given) tlsf.release(each.place);
  EXPECT_EQ(tlsf.used(), 0u);
  EXPECT_EQ(tlsf.check(), "");
  // All free blocks were merged into one again.
  EXPECT_NE(tlsf.allocate(bytes * 9 / 10), nullptr);
}

TEST_F(TlsfTest, ItsCheckFindsWhatIsBroken) {
  auto * one = static_cast<std::uint64_t *>(tlsf.allocate(64));
  void * two = tlsf.allocate(64);
  tlsf.release(two);
  const std::uint64_t size = one[-1];
  one[-1] = 32;
  EXPECT_NE(tlsf.check(), "");
  one[-1] = size;
  EXPECT_EQ(tlsf.check(), "");
}

}  // namespace
}  // namespace takt::lab
