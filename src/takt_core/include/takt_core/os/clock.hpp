// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// The operating system: the only code that calls sched_*, pthread_*, futex, mlock and clocks.
/// Requests report what was requested and what was granted. Unless noted otherwise, functions may
/// be called by any thread and neither allocate nor block.
namespace takt::os {

/// An instant or a length of time in ns, by one of the clocks below.
using Time = std::int64_t;

/// The time of CLOCK_MONOTONIC. Some 30 ns, no system call.
Time now() noexcept;

/// The CPU time of the calling thread. A system call, some 400 ns.
Time thread_cpu() noexcept;

/// The CPU time of a thread of this process; -1 if it has ended. A system call, cheaper than
/// reading /proc.
Time thread_cpu_of(int tid) noexcept;

/// The CPU time of all threads of the process. A system call.
Time process_cpu() noexcept;

/// Blocks until an absolute instant of now(), even if signals arrive; returns at once if it has
/// passed.
void sleep_until(Time instant) noexcept;

}  // namespace takt::os
