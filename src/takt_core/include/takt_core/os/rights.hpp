// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace takt::os {

/// What was requested and what the kernel reports afterwards. A refusal is not an exception.
struct Granted {
  int asked = 0;    ///< the requested value; its meaning is that of the function
  int granted = 0;  ///< the value in effect
  /// One line with the reason and the remedy; empty if the request was granted.
  std::string error;

  /// Whether the request was granted.
  bool ok() const noexcept { return error.empty(); }
};

/// Sets a thread's scheduling to SCHED_FIFO at `priority` 1 to 99, or to SCHED_OTHER for 0. `tid` 0
/// is the calling thread. Any thread; a few system calls; allocates only for an error.
Granted set_fifo(int tid, int priority);

/// Sets a thread's scheduling to SCHED_IDLE, so that it runs only when the CPU would be idle
/// (`granted` 1). `tid` 0 is the calling thread. Any thread; a few system calls; allocates only for
/// an error.
Granted set_idle(int tid);

/// Drops the right to real-time priorities for the calling thread and the threads that it will
/// start, irrevocably. Threads keep the priorities that they have. `granted` is 1 if the right is
/// gone. Allocates only for an error.
Granted give_up_realtime();

/// Pins a thread to one CPU, counted from 0. `tid` 0 is the calling thread. `granted` is -1 if the
/// thread may use no CPU or several. Any thread; a few system calls; allocates only for an error.
Granted pin(int tid, int cpu);

/// Confines a thread to these CPUs. `asked` and `granted` are numbers of CPUs; either all are
/// granted or none. Otherwise as pin().
Granted confine(int tid, const std::vector<int> & cpus);

/// The CPUs that a thread may use, ascending; empty if it has ended. `tid` 0 is the calling thread.
/// A system call; allocates.
std::vector<int> allowed_cpus(int tid = 0);

}  // namespace takt::os
