// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "npy.hpp"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <utility>

#include "error.hpp"

namespace takt::lab {
namespace {

constexpr char magic[] = "\x93NUMPY\x01\x00";
constexpr std::size_t magic_bytes = 8;
constexpr std::size_t preamble_bytes = magic_bytes + 2;

std::size_t bytes_of(const Field & field) {
  return static_cast<std::size_t>(field.type[2] - '0');
}

void check_packed(std::span<const Field> fields, std::size_t row_bytes) {
  std::size_t sum = 0;
  for (const Field & field : fields) sum += bytes_of(field);
  if (sum != row_bytes) throw std::logic_error("fields do not cover the row");
}

[[noreturn]] void fail(const std::string & path, const std::string & what) {
  throw Error(path + ": " + what);
}

/// Returns the header without white space and with one kind of quotes, so that headers of numpy and of this
/// program can be compared.
std::string normal(std::string text) {
  std::erase_if(text, [](unsigned char c) { return std::isspace(c) != 0; });
  std::replace(text.begin(), text.end(), '"', '\'');
  return text;
}

/// Returns the number of rows that an .npy header declares. Throws Error if the fields differ.
std::size_t rows_of(const std::string & path, const std::string & header,
                    std::span<const Field> fields) {
  const std::string text = normal(header);
  const std::string dtype = normal(dtype_of(fields));
  if (text.find("'descr':" + dtype) == std::string::npos) {
    fail(path, "has other fields than " + dtype_of(fields));
  }
  const std::string key = "'shape':(";
  const auto at = text.find(key);
  std::size_t rows = 0;
  if (text.find("'fortran_order':False") == std::string::npos || at == std::string::npos) {
    fail(path, "is not a list of rows");
  }
  const char * const begin = text.data() + at + key.size();
  const auto [end, status] = std::from_chars(begin, text.data() + text.size(), rows);
  if (status != std::errc() || std::string_view(end).substr(0, 2) != ",)") {
    fail(path, "is not a list of rows");
  }
  return rows;
}

}  // namespace

std::string dtype_of(std::span<const Field> fields) {
  std::string text = "[";
  for (const Field & field : fields) {
    text +=
        std::string(text.size() > 1 ? ", " : "") + "('" + field.name + "', '" + field.type + "')";
  }
  return text + "]";
}

NpyFile::NpyFile(std::string path, std::span<const Field> fields, std::size_t row_bytes)
    : path_(std::move(path)),
      temporary_(path_ + ".partial"),
      dtype_(dtype_of(fields)),
      row_bytes_(row_bytes) {
  check_packed(fields, row_bytes);
  file_.reset(std::fopen(temporary_.c_str(), "wb"));
  if (!file_) fail(temporary_, std::string("cannot be written: ") + std::strerror(errno));
  const std::string head = header();
  write(head.data(), head.size());
}

NpyFile::~NpyFile() {
  if (!file_) return;
  file_.reset();
  if (!named_) std::remove(temporary_.c_str());
}

/// Returns the header. Its length does not depend on the number of rows, so that it can be overwritten.
std::string NpyFile::header() const {
  std::string count = std::to_string(rows_);
  std::string text =
      "{'descr': " + dtype_ + ", 'fortran_order': False, 'shape': (" + count + ",), }";
  const std::size_t longest = preamble_bytes + text.size() - count.size() + 20 + 1;
  const std::size_t total = (longest + 63) / 64 * 64;
  text.resize(total - preamble_bytes - 1, ' ');
  text += '\n';
  std::string head(magic, magic_bytes);
  head += static_cast<char>(text.size() & 0xff);
  head += static_cast<char>(text.size() >> 8);
  return head + text;
}

void NpyFile::write(const void * bytes, std::size_t count) {
  if (std::fwrite(bytes, 1, count, file_.get()) != count) {
    fail(temporary_, std::string("cannot be written: ") + std::strerror(errno));
  }
}

void NpyFile::append(const void * rows, std::size_t count) {
  if (count == 0) return;
  write(rows, count * row_bytes_);
  rows_ += count;
}

void NpyFile::checkpoint() {
  // The rows are written before their number, so that the header never declares missing rows.
  const std::string head = header();
  std::FILE * const file = file_.get();
  const bool good = std::fflush(file) == 0 && std::fseek(file, 0, SEEK_SET) == 0 &&
                    std::fwrite(head.data(), 1, head.size(), file) == head.size() &&
                    std::fflush(file) == 0 && std::fseek(file, 0, SEEK_END) == 0 &&
                    (named_ || std::rename(temporary_.c_str(), path_.c_str()) == 0);
  if (!good) fail(path_, std::string("cannot be written: ") + std::strerror(errno));
  named_ = true;
}

void NpyFile::commit() {
  checkpoint();
  if (std::fclose(file_.release()) != 0) {
    fail(path_, std::string("cannot be written: ") + std::strerror(errno));
  }
}

std::vector<std::byte> read_npy_bytes(const std::string & path, std::span<const Field> fields,
                                      std::size_t row_bytes) {
  check_packed(fields, row_bytes);
  const auto close = [](std::FILE * file) { std::fclose(file); };
  const std::unique_ptr<std::FILE, decltype(close)> file(std::fopen(path.c_str(), "rb"), close);
  if (!file) fail(path, std::string("cannot be read: ") + std::strerror(errno));
  unsigned char preamble[preamble_bytes];
  if (std::fread(preamble, 1, preamble_bytes, file.get()) != preamble_bytes ||
      std::memcmp(preamble, magic, magic_bytes) != 0) {
    fail(path, "is not an .npy file of version 1");
  }
  std::string head(static_cast<std::size_t>(preamble[8]) + 256u * preamble[9], '\0');
  if (std::fread(head.data(), 1, head.size(), file.get()) != head.size()) {
    fail(path, "ends within its header");
  }
  const std::size_t rows = rows_of(path, head, fields);
  // Check the file size first, so that a damaged number of rows does not cause a huge allocation.
  const long data = std::ftell(file.get());
  std::fseek(file.get(), 0, SEEK_END);
  const long end = std::ftell(file.get());
  if (data < 0 || end < data || static_cast<std::size_t>(end - data) / row_bytes != rows ||
      static_cast<std::size_t>(end - data) % row_bytes != 0) {
    fail(path, "does not contain the " + std::to_string(rows) + " rows that it declares");
  }
  std::fseek(file.get(), data, SEEK_SET);
  std::vector<std::byte> bytes(rows * row_bytes);
  if (rows != 0 && std::fread(bytes.data(), row_bytes, rows, file.get()) != rows) {
    fail(path, std::string("cannot be read: ") + std::strerror(errno));
  }
  return bytes;
}

}  // namespace takt::lab
