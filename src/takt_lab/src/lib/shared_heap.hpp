// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace takt::lab {

/// Blocks of memory that several threads exchange, so that each of them frees what others have allocated, as
/// readers of messages do. malloc then takes the lock of the arena of the thread that allocated the block.
class SharedHeap {
 public:
  SharedHeap() = default;
  ~SharedHeap() {
    for (auto & each : blocks_) delete[] each.load();
  }
  SharedHeap(const SharedHeap &) = delete;
  SharedHeap & operator=(const SharedHeap &) = delete;

  /// Allocates `bytes`, puts the block in the place of another one, chosen by `number`, and frees that one.
  /// Any thread.
  void exchange(std::size_t bytes, std::uint64_t number) {
    auto * block = new std::byte[bytes];
    // Written, so that the compiler does not omit the allocation.
    block[0] = static_cast<std::byte>(number);
    delete[] blocks_[number % blocks_.size()].exchange(block);
  }

 private:
  std::array<std::atomic<std::byte *>, 64> blocks_{};
};

}  // namespace takt::lab
