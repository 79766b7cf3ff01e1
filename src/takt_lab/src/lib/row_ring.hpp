// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace takt::lab {

/// A bounded queue of rows, for one producer and one consumer thread at a time. Rows for which there is no
/// room are only counted.
template <typename Row>
class RowRing {
 public:
  /// The capacity is rounded up to a power of two. Allocates and touches all memory.
  explicit RowRing(std::size_t capacity) : rows_(std::bit_ceil(capacity)) {}

  /// Appends a row. Neither allocates nor blocks.
  void push(const Row & row) noexcept {
    const std::uint64_t written = written_.load(std::memory_order_relaxed);
    if (written - read_.load(std::memory_order_acquire) == rows_.size()) {
      dropped_.fetch_add(1, std::memory_order_relaxed);
      return;
    }
    rows_[written & (rows_.size() - 1)] = row;
    written_.store(written + 1, std::memory_order_release);
  }
  bool pop(Row & row) noexcept {
    const std::uint64_t read = read_.load(std::memory_order_relaxed);
    if (read == written_.load(std::memory_order_acquire)) return false;
    row = rows_[read & (rows_.size() - 1)];
    read_.store(read + 1, std::memory_order_release);
    return true;
  }
  std::uint64_t dropped() const noexcept { return dropped_.load(std::memory_order_relaxed); }

 private:
  std::vector<Row> rows_;
  std::atomic<std::uint64_t> written_{0};
  std::atomic<std::uint64_t> read_{0};
  std::atomic<std::uint64_t> dropped_{0};
};

}  // namespace takt::lab
