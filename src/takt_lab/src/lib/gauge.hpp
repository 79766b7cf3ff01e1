// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rows.hpp"

namespace takt::lab {

/// Returns the current memory, open files and threads of this process; -1 where the kernel does not report
/// a value. Reads /proc; allocates. Any thread that may block.
GaugeRow gauge();

}  // namespace takt::lab
