// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace takt::detail {

/// Returns why rcl cannot write a log file, because its folder does not exist or is not writable, with a
/// remedy, as one line; "" if it can. Creates the folder, as rcl does. Allocates, blocks.
std::string log_folder_fault();

}  // namespace takt::detail
