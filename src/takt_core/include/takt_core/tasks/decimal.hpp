// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace takt::tasks {

/// A number for people and programs, with a decimal point whatever locale the process has set. Any
/// thread; allocates.

/// With so many digits after the point, from 0 to 20.
std::string decimal(double value, int digits);
/// With as many digits as it takes, `0.2` and `3`.
std::string decimal(double value);

}  // namespace takt::tasks
