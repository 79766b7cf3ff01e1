// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>

namespace takt::model {

/// An array that grows without moving its elements. One thread may make room while others use
/// elements that exist already.
template <typename T, std::size_t per_chunk = 64>
class StableArray {
 public:
  /// The greatest size.
  static constexpr std::size_t most = std::size_t{1} << 16;

  /// Makes room for at least `size` elements; new ones are value-initialised. Allocates; throws
  /// std::length_error. One thread at a time.
  void make_room(std::size_t size) {
    if (size > most) {
      throw std::length_error("there may be " + std::to_string(most) + " tasks, not " +
                              std::to_string(size));
    }
    for (std::size_t chunk = 0; chunk * per_chunk < size; ++chunk) {
      if (chunks_[chunk] == nullptr) chunks_[chunk] = std::make_unique<T[]>(per_chunk);
    }
  }

  T & operator[](std::size_t i) noexcept { return chunks_[i / per_chunk][i % per_chunk]; }
  const T & operator[](std::size_t i) const noexcept {
    return chunks_[i / per_chunk][i % per_chunk];
  }

 private:
  std::array<std::unique_ptr<T[]>, most / per_chunk> chunks_;
};

}  // namespace takt::model
