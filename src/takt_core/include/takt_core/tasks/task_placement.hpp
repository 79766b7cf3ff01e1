// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

namespace takt {

/// Where a task of a SchedulingExecutor is, and what it is taken to need there.
struct TaskPlacement {
  std::string callback;       ///< `node/name`
  std::size_t processor = 0;  ///< its place among the executor's CPUs
  int cpu = -1;
  /// The share of the CPU that it declares to need, by its WCET or budget, and its period, in the
  /// scenario in which that is the most; 0: not known.
  double declared = 0;
  /// What it has used while the executor was spinning, by the executor's own stamps, since it came
  /// to that processor; 0 where the executor has one CPU.
  double measured = 0;
};

}  // namespace takt
