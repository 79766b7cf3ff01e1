// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// The operating system: the only code that calls sched_*, pthread_*, futex, mlock and clocks.
/// Requests tell what was asked for and what was granted. Unless said otherwise, functions may be
/// called by any thread, do not allocate and do not block.
namespace takt::os {

/// Nanoseconds of one of the clocks below.
using Time = std::int64_t;

/// CLOCK_MONOTONIC. Some 30 ns, no system call.
Time now() noexcept;

/// CPU time of the calling thread. A system call, some 400 ns.
Time thread_cpu() noexcept;

/// CPU time of a thread of this process, -1 if it is gone. A system call, cheaper than /proc.
Time thread_cpu_of(int tid) noexcept;

/// CPU time of all threads of the process. A system call.
Time process_cpu() noexcept;

/// Blocks until an absolute instant of now(), whatever signals come; returns at once if it has
/// passed.
void sleep_until(Time instant) noexcept;

}  // namespace takt::os
