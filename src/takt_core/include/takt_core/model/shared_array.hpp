// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <vector>

namespace takt::model {

/// An array with copy-on-write chunks: copying n elements touches n / per_chunk pointers. One
/// thread at a time may copy, edit or destroy related arrays; any thread may read one that is not
/// being edited.
template <typename T, std::size_t per_chunk = 64>
class SharedArray {
 public:
  std::size_t size() const noexcept { return size_; }
  const T & operator[](std::size_t i) const noexcept {
    return (*chunks_[i / per_chunk])[i % per_chunk];
  }

  /// A reference for changing the element, which does not affect copies. Allocates if its chunk is
  /// shared.
  T & edit(std::size_t i) {
    std::shared_ptr<Chunk> & chunk = chunks_[i / per_chunk];
    if (chunk.use_count() > 1) chunk = std::make_shared<Chunk>(*chunk);
    return (*chunk)[i % per_chunk];
  }
  /// Appends an element. Allocates; otherwise as edit().
  void push_back(T element) {
    if (size_ % per_chunk == 0) chunks_.push_back(std::make_shared<Chunk>());
    edit(size_) = std::move(element);
    ++size_;
  }

  /// The index of the first element for which `is` returns true; size() if there is none.
  template <typename Is>
  std::size_t find_if(const Is & is) const {
    for (std::size_t c = 0; c < chunks_.size(); ++c) {
      const auto end = chunks_[c]->begin() + std::min(per_chunk, size_ - c * per_chunk);
      const auto found = std::find_if(chunks_[c]->begin(), end, is);
      if (found != end)
        return c * per_chunk + static_cast<std::size_t>(found - chunks_[c]->begin());
    }
    return size_;
  }

 private:
  using Chunk = std::array<T, per_chunk>;

  std::vector<std::shared_ptr<Chunk>> chunks_;
  std::size_t size_ = 0;
};

}  // namespace takt::model
