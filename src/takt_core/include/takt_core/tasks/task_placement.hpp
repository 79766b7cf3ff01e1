// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

namespace takt {

/// The processor of a task of a SchedulingExecutor, and the task's share of it.
struct TaskPlacement {
  std::string callback;       ///< `node/name`
  std::size_t processor = 0;  ///< index into the executor's CPUs
  int cpu = -1;
  /// The declared share of the CPU: WCET or budget divided by the period, in the scenario in which
  /// that is greatest; 0: not known.
  double declared = 0;
  /// The measured share of the CPU while the executor was spinning, by its own time stamps, since
  /// the task came to this processor; 0 if the executor has one CPU.
  double measured = 0;
};

}  // namespace takt
