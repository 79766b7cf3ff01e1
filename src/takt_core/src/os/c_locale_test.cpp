// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/os/c_locale.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "takt_core/os/testing/comma_locale.hpp"

namespace takt::os {
namespace {

std::string half() {
  std::array<char, 8> text{};
  std::snprintf(text.data(), text.size(), "%.1f", 0.5);
  return text.data();
}

TEST(CLocaleTest, HoldsForItsThreadAsLongAsItLives) {
  const testing::CommaLocale comma;
  if (!comma.holds()) GTEST_SKIP() << comma.why_not;
  EXPECT_EQ(half(), "0,5");
  {
    const CLocale outer;
    const CLocale inner;
    EXPECT_EQ(half(), "0.5");
    EXPECT_EQ(std::strtod("1.5", nullptr), 1.5);
  }
  EXPECT_EQ(half(), "0,5");
}

}  // namespace
}  // namespace takt::os
