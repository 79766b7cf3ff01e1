// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace takt::os {

/// What was asked for and what the kernel says there is now. A refusal is no exception.
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

/// Gives a thread SCHED_IDLE: it runs only where nothing else wants to (1: granted). `tid` 0 is the
/// calling thread. Any thread; a few system calls; allocates only for an error.
Granted set_idle(int tid);

/// From now on the process may have no real-time priority, as if it had never had the right, which it
/// does not get back; threads keep the one they have. For the calling thread and those that it will
/// start. `granted` is 1 if it cannot any more. Allocates only for an error.
Granted give_up_realtime();

/// Pins a thread to one CPU, counted from 0. `tid` 0 is the calling thread. `granted` is -1 if it
/// is on none or several. Any thread; a few system calls; allocates only for an error.
Granted pin(int tid, int cpu);

/// Lets a thread run on these CPUs, and on no other. `asked` and `granted` are how many they are;
/// all or none is granted. Otherwise as pin().
Granted confine(int tid, const std::vector<int> & cpus);

/// The CPUs that a thread may use, ascending; none if it is gone. `tid` 0 is the calling thread. A
/// system call; allocates.
std::vector<int> allowed_cpus(int tid = 0);

}  // namespace takt::os
