// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "rows.hpp"

namespace takt::lab {

static_assert(std::endian::native == std::endian::little,
              "rows are written as they lie in memory, and the files are little-endian");

/// Returns the numpy dtype of a row, `[('task', '<u4'), ...]`. Allocates.
std::string dtype_of(std::span<const Field> fields);

/// Writes an `.npy` file row by row. Until commit() renames it, it has a temporary name in the same folder,
/// so that a file with the final name is always complete. Blocks on the disk; throws Error.
class NpyFile {
 public:
  NpyFile(std::string path, std::span<const Field> fields, std::size_t row_bytes);
  /// Removes the temporary file if there was no commit().
  ~NpyFile();
  NpyFile(const NpyFile &) = delete;
  NpyFile & operator=(const NpyFile &) = delete;

  void append(const void * rows, std::size_t count);
  /// Gives the rows written so far the final name. If the process dies later, these rows are preserved,
  /// possibly followed by further bytes. Rows may be appended afterwards.
  void checkpoint();
  /// Completes the file and gives it its final name.
  void commit();

 private:
  struct Close {
    void operator()(std::FILE * file) const noexcept { std::fclose(file); }
  };
  void write(const void * bytes, std::size_t count);
  std::string header() const;

  std::string path_;
  std::string temporary_;
  std::string dtype_;
  std::size_t row_bytes_;
  std::size_t rows_ = 0;
  bool named_ = false;  ///< whether it has its final name
  std::unique_ptr<std::FILE, Close> file_;
};

/// An NpyFile with rows of one type.
template <typename Row>
class NpyWriter {
  static_assert(std::is_trivially_copyable_v<Row>);

 public:
  explicit NpyWriter(std::string path) : file_(std::move(path), Row::fields, sizeof(Row)) {}
  void append(std::span<const Row> rows) { file_.append(rows.data(), rows.size()); }
  void checkpoint() { file_.checkpoint(); }
  void commit() { file_.commit(); }

 private:
  NpyFile file_;
};

/// Writes all rows at once. Throws Error.
template <typename Row>
void write_npy(const std::string & path, std::span<const Row> rows) {
  NpyWriter<Row> writer(path);
  writer.append(rows);
  writer.commit();
}

/// Returns the bytes of the rows of an `.npy` file, which must have exactly these fields. Throws Error.
std::vector<std::byte> read_npy_bytes(const std::string & path, std::span<const Field> fields,
                                      std::size_t row_bytes);

/// Reads a file that write_npy() or numpy has written. Throws Error.
template <typename Row>
std::vector<Row> read_npy(const std::string & path) {
  static_assert(std::is_trivially_copyable_v<Row>);
  const std::vector<std::byte> bytes = read_npy_bytes(path, Row::fields, sizeof(Row));
  std::vector<Row> rows(bytes.size() / sizeof(Row));
  if (!rows.empty()) std::memcpy(static_cast<void *>(rows.data()), bytes.data(), bytes.size());
  return rows;
}

}  // namespace takt::lab
