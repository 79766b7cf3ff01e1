// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include "error.hpp"

namespace takt::lab {

/// Returns the ROS domain for transports without ROS: the given one, else that of the environment, as ROS
/// reads it. Throws Error.
inline std::size_t domain_of(const std::optional<std::size_t> & given) {
  if (given) return *given;
  const char * text = std::getenv("ROS_DOMAIN_ID");
  if (text == nullptr || *text == '\0') return 0;
  char * end = nullptr;
  const unsigned long domain = std::strtoul(text, &end, 10);
  if (*end != '\0' || domain > 232) {
    throw Error("ROS_DOMAIN_ID is '" + std::string(text) + "', but must be from 0 to 232");
  }
  return domain;
}

/// Returns whether the environment limits discovery to this host.
inline bool only_this_host() {
  const char * range = std::getenv("ROS_AUTOMATIC_DISCOVERY_RANGE");
  return range != nullptr && std::string_view(range) == "LOCALHOST";
}

}  // namespace takt::lab
