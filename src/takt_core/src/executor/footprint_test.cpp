// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/executor/footprint.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace takt::executor {
namespace {

struct alignas(Footprint::line) Line {
  std::array<std::byte, Footprint::line> bytes;
};

std::vector<std::uintptr_t> lines_of(const Footprint & footprint) {
  const auto lines = footprint.lines();
  return {lines.begin(), lines.end()};
}

TEST(FootprintTest, HoldsTheLinesOfWhatWasAddedOnce) {
  const std::array<Line, 4> memory{};
  const auto first = reinterpret_cast<std::uintptr_t>(memory.data());
  Footprint footprint;
  EXPECT_TRUE(footprint.lines().empty());
  footprint.add(&memory[0].bytes[60], 5);  // crosses the end of a cache line
  footprint.add(&memory[1]);
  footprint.add(&memory[3].bytes[1]);
  EXPECT_EQ(lines_of(footprint), (std::vector<std::uintptr_t>{first, first + Footprint::line,
                                                              first + 3 * Footprint::line}));
}

TEST(FootprintTest, LeavesOutWhatIsNowhereOrFindsNoRoom) {
  const std::array<Line, Footprint::most + 2> memory{};
  Footprint footprint;
  footprint.add(nullptr, 1000);
  EXPECT_TRUE(footprint.lines().empty());
  footprint.add(memory.data(), sizeof(memory));
  EXPECT_EQ(footprint.lines().size(), Footprint::most);
  footprint.add(&memory.back());
  EXPECT_EQ(footprint.lines().size(), Footprint::most);
}

}  // namespace
}  // namespace takt::executor
