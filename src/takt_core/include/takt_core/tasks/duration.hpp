// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

namespace takt {

/// A length of time in ns. Every duration of std::chrono that is a whole number of nanoseconds
/// converts to it.
using Duration = std::chrono::nanoseconds;

}  // namespace takt
