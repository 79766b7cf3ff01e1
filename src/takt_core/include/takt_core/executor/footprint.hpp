// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace takt::executor {

/// The addresses that the jobs of a task access first, for prefetching. Between two jobs of a task
/// the caches usually evict its data. The next job then has one cache miss after another, because
/// it reads each address from the line fetched before. If the addresses are known in advance, all
/// lines are fetched at the same time, while another job is running. Nothing is read through the
/// addresses, so they may be out of date.
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
