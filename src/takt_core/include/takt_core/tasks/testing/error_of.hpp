// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "takt_core/tasks/error.hpp"

namespace takt::testing {

/// What the function throws as takt::Error; empty if nothing.
template <typename Function>
std::string error_of(const Function & function) {
  try {
    function();
  } catch (const Error & error) {
    return error.what();
  }
  return "";
}

}  // namespace takt::testing
