// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>

namespace takt::lab {

/// What a program of the lab cannot do: one line that says what is wrong, where, and what to do.
/// Ends the program with exit status 1.
struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace takt::lab
