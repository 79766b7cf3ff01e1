// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace takt::os {

/// Why no file can be created in a folder, in one line; empty if one can. Creates the folder and
/// its parents if they do not exist. Allocates, blocks.
std::string folder_fault(const std::string & folder);

}  // namespace takt::os
