// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rows.hpp"

namespace takt::lab {

/// What this process has now: memory, open files, threads. -1 for what the kernel does not tell.
/// Reads /proc; allocates. Any thread that may wait.
GaugeRow gauge();

}  // namespace takt::lab
