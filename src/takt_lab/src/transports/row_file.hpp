// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "npy.hpp"
#include "row_ring.hpp"

namespace takt::lab {

/// Passes rows from real-time threads to a file, which is written by a thread that may block.
template <typename Row>
class RowFile {
 public:
  RowFile(const std::string & path, std::size_t capacity) : ring_(capacity), file_(path) {
    rows_.reserve(capacity);
  }

  RowRing<Row> & ring() noexcept { return ring_; }
  /// Writes the rows that have arrived, and calls `each` with each of them. Throws Error.
  template <typename Each>
  void drain(Each each) {
    rows_.clear();
    for (Row row; ring_.pop(row);) {
      each(row);
      rows_.push_back(row);
    }
    file_.append(rows_);
  }
  void checkpoint() { file_.checkpoint(); }
  void commit() { file_.commit(); }

 private:
  RowRing<Row> ring_;
  NpyWriter<Row> file_;
  std::vector<Row> rows_;
};

}  // namespace takt::lab
