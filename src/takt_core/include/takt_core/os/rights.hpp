// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace takt::os {

/// What was asked for and what the kernel says there is now.
struct Granted {
  int asked = 0;
  int granted = 0;
  /// One line that says why, and what to do; empty if all was granted.
  std::string error;

  bool ok() const noexcept { return error.empty(); }
};

/// Gives a thread SCHED_FIFO at `priority` 1 to 99, or SCHED_OTHER for 0. `tid` 0 is the calling
/// thread. Any thread; a few system calls; allocates only for an error.
Granted set_fifo(int tid, int priority);

/// Pins a thread to one CPU. `granted` is -1 if it is on none or several.
Granted pin(int tid, int cpu);

/// The CPUs that the calling thread may use, ascending.
std::vector<int> allowed_cpus();

/// Locks all memory of the process, present and future (1: locked). Refuses where the limit is so
/// low that later allocations would fail.
Granted lock_memory();

/// One line if the kernel takes the CPU from real-time threads for a share of the time, else empty.
std::string realtime_throttling();

}  // namespace takt::os
