// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>

namespace takt::lab {

/// An error of a lab program, which ends the program with exit status 1. The text is one line that says
/// what is wrong, where, and how to correct it.
struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace takt::lab
