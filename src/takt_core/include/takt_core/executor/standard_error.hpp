// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace takt::executor {

/// Where an executor's lines go that are handed to nobody: standard error, with takt's name before
/// them. Any thread that may wait.
void write_to_standard_error(const std::string & line);

}  // namespace takt::executor
