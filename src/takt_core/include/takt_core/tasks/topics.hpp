// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

namespace takt {

/// Topics by name, one or several: "scan", {"scan", "map"}. Names are resolved as the node's that
/// uses them.
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
