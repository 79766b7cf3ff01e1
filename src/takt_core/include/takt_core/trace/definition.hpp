// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace takt::trace {

/// A line of JSON, one flat object: what the numbers in events stand for. Allocates.
class Definition {
 public:
  /// What it defines: `task`, `topic`, `ring`, ...
  explicit Definition(std::string_view what);
  Definition & add(std::string_view key, std::string_view value);
  Definition & add(std::string_view key, std::int64_t value);
  Definition & add(std::string_view key, bool value);
  /// Or a string would be taken for one.
  Definition & add(std::string_view key, const char * value) {
    return add(key, std::string_view(value));
  }
  /// Ended by a newline.
  std::string line() const { return line_ + "}\n"; }

 private:
  void key(std::string_view name);
  std::string line_ = "{";
};

}  // namespace takt::trace
