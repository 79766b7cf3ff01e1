// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "tlsf.hpp"

#include <algorithm>
#include <bit>

namespace takt::lab {
namespace {

/// Sizes below this are in the lists of the first level 0, because a sixteenth of a smaller power of two would
/// be less than the alignment.
constexpr std::size_t small = 256;
constexpr int small_bits = 8;
constexpr int second_bits = 4;

}  // namespace

Tlsf::Place Tlsf::place_of(std::size_t size) noexcept {
  if (size < small) return {0, size / alignment};
  const int power = static_cast<int>(std::bit_width(size)) - 1;
  return {static_cast<std::size_t>(power - small_bits + 1),
          (size >> (power - second_bits)) - second_levels};
}

Tlsf::Block * Tlsf::after(const Block * block) const noexcept {
  char * const place =
      reinterpret_cast<char *>(const_cast<Block *>(block)) + header + size_of(block);
  return place == end_ ? nullptr : reinterpret_cast<Block *>(place);
}

void Tlsf::insert(Block * block) noexcept {
  const auto [first, second] = place_of(size_of(block));
  Block *& list = lists_[first][second];
  block->size |= 1;
  block->previous = nullptr;
  block->next = list;
  if (list != nullptr) list->previous = block;
  list = block;
  first_map_ |= std::uint64_t{1} << first;
  second_map_[first] |= std::uint32_t{1} << second;
}

void Tlsf::remove(Block * block) noexcept {
  const auto [first, second] = place_of(size_of(block));
  if (block->next != nullptr) block->next->previous = block->previous;
  if (block->previous != nullptr) {
    block->previous->next = block->next;
  } else {
    lists_[first][second] = block->next;
    if (block->next == nullptr) second_map_[first] &= ~(std::uint32_t{1} << second);
    if (second_map_[first] == 0) first_map_ &= ~(std::uint64_t{1} << first);
  }
  block->size &= ~std::size_t{1};
}

/// Returns the first block of the first list whose blocks all have at least this size.
Tlsf::Block * Tlsf::find(std::size_t size) noexcept {
  if (size >= small) {
    const int power = static_cast<int>(std::bit_width(size)) - 1;
    size += (std::size_t{1} << (power - second_bits)) - 1;
  }
  auto [first, second] = place_of(size);
  if (first >= first_levels) return nullptr;
  std::uint32_t seconds = second_map_[first] & (~std::uint32_t{0} << second);
  if (seconds == 0) {
    const std::uint64_t firsts =
        first + 1 < 64 ? first_map_ & (~std::uint64_t{0} << (first + 1)) : 0;
    if (firsts == 0) return nullptr;
    first = static_cast<std::size_t>(std::countr_zero(firsts));
    seconds = second_map_[first];
  }
  return lists_[first][static_cast<std::size_t>(std::countr_zero(seconds))];
}

/// Shortens a block that is in no list to `size`. The rest becomes a free block if it is large enough.
void Tlsf::split(Block * block, std::size_t size) noexcept {
  const std::size_t left = size_of(block) - size;
  if (left < sizeof(Block)) return;
  block->size = size;
  Block * const rest = after(block);
  rest->before = block;
  rest->size = left - header;
  if (Block * const next = after(rest)) next->before = rest;
  insert(rest);
}

void Tlsf::add(void * memory, std::size_t bytes) noexcept {
  begin_ = static_cast<char *>(memory);
  bytes -= bytes % alignment;
  end_ = begin_ + bytes;
  auto * const block = reinterpret_cast<Block *>(begin_);
  block->before = nullptr;
  block->size = bytes - header;
  insert(block);
}

void * Tlsf::allocate(std::size_t bytes) noexcept {
  if (bytes > static_cast<std::size_t>(end_ - begin_)) return nullptr;
  const std::size_t size =
      std::max((bytes + alignment - 1) / alignment * alignment, sizeof(Block) - header);
  Block * const block = find(size);
  if (block == nullptr) return nullptr;
  remove(block);
  split(block, size);
  used_ += header + size_of(block);
  return reinterpret_cast<char *>(block) + header;
}

void Tlsf::release(void * pointer) noexcept {
  auto * block = reinterpret_cast<Block *>(static_cast<char *>(pointer) - header);
  used_ -= header + size_of(block);
  if (Block * const next = after(block); next != nullptr && is_free(next)) {
    remove(next);
    block->size += header + size_of(next);
  }
  if (Block * const before = block->before; before != nullptr && is_free(before)) {
    remove(before);
    before->size += header + size_of(block);
    block = before;
  }
  if (Block * const next = after(block)) next->before = block;
  insert(block);
}

std::string Tlsf::check() const {
  std::size_t in_use = 0;
  std::size_t free_blocks = 0;
  const Block * before = nullptr;
  for (const Block * block = reinterpret_cast<const Block *>(begin_); block != nullptr;
       before = block, block = after(block)) {
    if (block->before != before) return "a block does not know the one before it";
    if (size_of(block) % alignment != 0 || size_of(block) < sizeof(Block) - header) {
      return "a block has no size";
    }
    if (is_free(block) && before != nullptr && is_free(before)) return "free neighbours are two";
    if (is_free(block)) {
      ++free_blocks;
    } else {
      in_use += header + size_of(block);
    }
  }
  if (in_use != used_) return "what is in use is miscounted";
  for (std::size_t first = 0; first < first_levels; ++first) {
    if (((first_map_ >> first) & 1) != (second_map_[first] != 0 ? 1u : 0u)) {
      return "the first map is wrong";
    }
    for (std::size_t second = 0; second < second_levels; ++second) {
      const Block * block = lists_[first][second];
      if (((second_map_[first] >> second) & 1) != (block != nullptr ? 1u : 0u)) {
        return "a second map is wrong";
      }
      for (; block != nullptr; block = block->next) {
        const Place place = place_of(size_of(block));
        if (!is_free(block) || place.first != first || place.second != second) {
          return "a block is in the wrong list";
        }
        if (free_blocks-- == 0) return "a list holds what is no free block";
      }
    }
  }
  return free_blocks == 0 ? "" : "a free block is in no list";
}

}  // namespace takt::lab
