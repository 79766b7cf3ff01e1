// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/trace/definition.hpp"

#include <array>
#include <cstdio>

namespace takt::trace {
namespace {

// Appends the text as a JSON string. Bytes beyond ASCII are UTF-8 and stay as they are.
void quote(std::string & to, std::string_view text) {
  to += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      to += '\\';
      to += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      std::array<char, 8> code{};
      std::snprintf(code.data(), code.size(), "\\u%04x", static_cast<unsigned>(c));
      to += code.data();
    } else {
      to += c;
    }
  }
  to += '"';
}

}  // namespace

Definition::Definition(std::string_view what) {
  add("define", what);
}

void Definition::key(std::string_view name) {
  if (line_.size() > 1) line_ += ", ";
  quote(line_, name);
  line_ += ": ";
}

Definition & Definition::add(std::string_view name, std::string_view value) {
  key(name);
  quote(line_, value);
  return *this;
}
Definition & Definition::add(std::string_view name, std::int64_t value) {
  key(name);
  line_ += std::to_string(value);
  return *this;
}
Definition & Definition::add(std::string_view name, bool value) {
  key(name);
  line_ += value ? "true" : "false";
  return *this;
}

}  // namespace takt::trace
