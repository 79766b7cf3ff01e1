// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace takt::executor {

/// Writes a line to standard error, prefixed with takt's name: the default log function of an
/// executor. Any thread that may block, as a write does.
void write_to_standard_error(const std::string & line);

}  // namespace takt::executor
