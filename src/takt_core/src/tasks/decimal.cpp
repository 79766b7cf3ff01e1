// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/tasks/decimal.hpp"

#include <array>
#include <charconv>
#include <cstddef>

namespace takt::tasks {
namespace {

// The largest double has 309 digits before the decimal point.
constexpr std::size_t most_characters = 340;

}  // namespace

std::string decimal(double value, int digits) {
  std::array<char, most_characters> text{};
  const auto written = std::to_chars(text.data(), text.data() + text.size(), value,
                                     std::chars_format::fixed, digits);
  return std::string(text.data(), written.ptr);
}

std::string decimal(double value) {
  std::array<char, most_characters> text{};
  const auto written = std::to_chars(text.data(), text.data() + text.size(), value);
  return std::string(text.data(), written.ptr);
}

}  // namespace takt::tasks
