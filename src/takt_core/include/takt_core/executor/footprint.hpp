// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace takt::executor {

/// The addresses that the jobs of a task touch first, for prefetching. Most tasks sleep so long
/// that the caches have evicted their data, and then each cache line is a miss that depends on the
/// one before. With the addresses known in advance all lines are fetched at once, while another job
/// is running. Only the addresses are used: nothing is read through them, so they may be out of
/// date.
class Footprint {
 public:
  /// The size of a cache line, in bytes.
  static constexpr std::uintptr_t line = 64;
  /// The greatest number of cache lines.
  static constexpr std::size_t most = 10;

  /// Adds the cache lines that hold these bytes, as long as there is room; nullptr adds none. Does
  /// not allocate.
  void add(const void * first, std::size_t bytes = 1) noexcept {
    if (first == nullptr) return;
    const auto begin = reinterpret_cast<std::uintptr_t>(first);
    for (auto at = begin - begin % line; at < begin + bytes && count_ < most; at += line) {
      const auto added = lines();
      if (std::find(added.begin(), added.end(), at) == added.end()) lines_[count_++] = at;
    }
  }

  /// The addresses of the cache lines.
  std::span<const std::uintptr_t> lines() const noexcept { return {lines_.data(), count_}; }

 private:
  std::size_t count_ = 0;
  std::array<std::uintptr_t, most> lines_{};
};

}  // namespace takt::executor
