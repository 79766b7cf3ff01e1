// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace takt::os {

/// Why no file can be made in a folder, which is made with those above it if it is not there: one line.
/// "": one can. Allocates, blocks.
std::string folder_fault(const std::string & folder);

}  // namespace takt::os
