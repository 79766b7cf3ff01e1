// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace takt::lab {

/// An allocator with constant-time operations: two-level segregated fit (Masmano, Ripoll, Crespo and Real,
/// "TLSF: a new dynamic memory allocator for real-time systems", ECRTS 2004). Free blocks are kept in lists
/// by size, first by powers of two, then by sixteenths of these. Two levels of bitmaps find a list whose
/// blocks are all large enough. Adjacent free blocks are merged at once. Not thread-safe; makes no system
/// calls.
class Tlsf {
 public:
  static constexpr std::size_t alignment = 16;

  Tlsf() = default;
  Tlsf(const Tlsf &) = delete;
  Tlsf & operator=(const Tlsf &) = delete;

  /// Adds the memory to be managed, which must outlive the object. To be called once. `memory` must be aligned
  /// to 16 bytes, and `bytes` must be at least 64.
  void add(void * memory, std::size_t bytes) noexcept;
  /// Returns a block aligned to 16 bytes; nullptr if there is no free block of that size.
  void * allocate(std::size_t bytes) noexcept;
  /// Frees a block that allocate() returned.
  void release(void * pointer) noexcept;
  /// Returns whether the address lies in the memory that was added.
  bool owns(const void * pointer) const noexcept {
    return pointer >= begin_ && pointer < static_cast<const void *>(end_);
  }
  /// The number of bytes in use, including the header of each block.
  std::size_t used() const noexcept { return used_; }
  /// Checks all blocks and lists. Returns an empty text, or a description of the first error. For tests.
  std::string check() const;

 private:
  /// The header of a block. The last two members exist only while it is free.
  struct Block {
    Block * before;    ///< the preceding block in memory; nullptr for the first
    std::size_t size;  ///< bytes after the first two members; bit 0: whether it is free
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
