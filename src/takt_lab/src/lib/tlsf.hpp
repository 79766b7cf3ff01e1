// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace takt::lab {

/// Memory in constant time: two-level segregated fit (Masmano, Ripoll, Crespo and Real 2004). Free
/// blocks are kept in lists by size, first by its power of two, then by sixteenths of that; two levels
/// of bitmaps find a list whose blocks are all large enough. Neighbours that are free become one at
/// once. Not thread-safe; makes no system call.
class Tlsf {
 public:
  static constexpr std::size_t alignment = 16;

  Tlsf() = default;
  Tlsf(const Tlsf &) = delete;
  Tlsf & operator=(const Tlsf &) = delete;

  /// Once: gives it memory, which must outlive it. `memory` is aligned to 16, `bytes` at least 64.
  void add(void * memory, std::size_t bytes) noexcept;
  /// nullptr if there is no block that large. Aligned to 16.
  void * allocate(std::size_t bytes) noexcept;
  /// What allocate() returned, once.
  void release(void * pointer) noexcept;
  /// Whether it is of the memory that was added.
  bool owns(const void * pointer) const noexcept {
    return pointer >= begin_ && pointer < static_cast<const void *>(end_);
  }
  /// Bytes in use, with what each block needs for itself.
  std::size_t used() const noexcept { return used_; }
  /// Goes through all blocks and lists. Empty if all is well, else what is wrong. For tests.
  std::string check() const;

 private:
  /// At the beginning of each block. The last two are there only while it is free.
  struct Block {
    Block * before;    ///< the neighbour in memory, nullptr for the first
    std::size_t size;  ///< of what follows the first two members; bit 0: free
    Block * next;
    Block * previous;
  };
  static constexpr std::size_t header = offsetof(Block, next);
  static constexpr std::size_t second_levels = 16;
  static constexpr std::size_t first_levels = 33;  ///< up to 2^40 bytes
  struct Place {
    std::size_t first;
    std::size_t second;
  };

  static Place place_of(std::size_t size) noexcept;
  static std::size_t size_of(const Block * block) noexcept { return block->size & ~std::size_t{1}; }
  static bool is_free(const Block * block) noexcept { return (block->size & 1) != 0; }
  Block * after(const Block * block) const noexcept;
  Block * find(std::size_t size) noexcept;
  void insert(Block * block) noexcept;
  void remove(Block * block) noexcept;
  void split(Block * block, std::size_t size) noexcept;

  char * begin_ = nullptr;
  char * end_ = nullptr;
  std::size_t used_ = 0;
  std::uint64_t first_map_ = 0;
  std::array<std::uint32_t, first_levels> second_map_{};
  std::array<std::array<Block *, second_levels>, first_levels> lists_{};
};

}  // namespace takt::lab
