// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

namespace takt {

/// One or several topic names: "scan", {"scan", "map"}. Relative names are resolved by the node
/// that uses them.
class Topics {
 public:
  Topics() = default;
  // NOLINTBEGIN(google-explicit-constructor): {.subscribes = "scan"}
  Topics(const char * name) : names_{name} {}
  Topics(std::string name) : names_{std::move(name)} {}
  Topics(std::initializer_list<std::string> names) : names_(names) {}
  Topics(std::vector<std::string> names) : names_(std::move(names)) {}
  // NOLINTEND(google-explicit-constructor)
  const std::vector<std::string> & names() const noexcept { return names_; }

 private:
  std::vector<std::string> names_;
};

}  // namespace takt
