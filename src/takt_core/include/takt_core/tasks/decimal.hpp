// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace takt::tasks {

/// ---- numbers as text, with a decimal point whatever locale the process has set. Any thread;
/// allocates.

/// The number with `digits` digits after the decimal point, 0 to 20.
std::string decimal(double value, int digits);
/// The number with as few digits as represent it exactly, such as `0.2` and `3`.
std::string decimal(double value);

}  // namespace takt::tasks
