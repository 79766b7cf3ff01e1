// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "takt_core/tasks/error.hpp"

namespace takt::testing {

/// The text of the takt::Error that `function` throws; empty if it throws none.
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
