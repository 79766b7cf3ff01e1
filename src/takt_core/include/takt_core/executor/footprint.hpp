// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace takt::executor {

/// Where the memory lies that the jobs of a task touch first. Most tasks sleep for so long that the
/// caches have forgotten it, and then each line waits for the one that led to it; known before, the
/// lines come all at once, while another job runs. Addresses only: nothing is read there, so they
/// may have become wrong.
class Footprint {
 public:
  /// Of a cache line, in bytes.
  static constexpr std::uintptr_t line = 64;
  /// How many lines it holds.
  static constexpr std::size_t most = 10;

  /// Adds the lines that these bytes lie in, as far as there is room; nullptr adds none.
  void add(const void * first, std::size_t bytes = 1) noexcept {
    if (first == nullptr) return;
    const auto begin = reinterpret_cast<std::uintptr_t>(first);
    for (auto at = begin - begin % line; at < begin + bytes && count_ < most; at += line) {
      const auto added = lines();
      if (std::find(added.begin(), added.end(), at) == added.end()) lines_[count_++] = at;
    }
  }

  /// Their addresses.
  std::span<const std::uintptr_t> lines() const noexcept { return {lines_.data(), count_}; }

 private:
  std::size_t count_ = 0;
  std::array<std::uintptr_t, most> lines_{};
};

}  // namespace takt::executor
