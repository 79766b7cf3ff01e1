// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace takt::detail {

/// Why rcl can have no log file, as the folder for it cannot be had or written, with what to do: one
/// line. "": it can. Makes the folder, as rcl does. Allocates, blocks.
std::string log_folder_fault();

}  // namespace takt::detail
