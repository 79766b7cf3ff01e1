// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace takt::trace {

/// A line of JSON, one flat object, that defines the numbers in events. The members allocate.
class Definition {
 public:
  /// `what`: the kind of object, such as `task`, `topic` or `ring`.
  explicit Definition(std::string_view what);
  /// Appends a member; keys and strings are quoted as JSON requires.
  Definition & add(std::string_view key, std::string_view value);
  Definition & add(std::string_view key, std::int64_t value);
  Definition & add(std::string_view key, bool value);
  /// Without this overload a string literal would convert to bool.
  Definition & add(std::string_view key, const char * value) {
    return add(key, std::string_view(value));
  }
  /// The line, with a newline at its end.
  std::string line() const { return line_ + "}\n"; }

 private:
  void key(std::string_view name);
  std::string line_ = "{";
};

}  // namespace takt::trace
