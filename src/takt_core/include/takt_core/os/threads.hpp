// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "takt_core/os/clock.hpp"

namespace takt::os {

/// A thread of the process, as the kernel reports it.
struct ThreadInfo {
  int tid = 0;
  std::string name;  ///< at most 15 characters
  int policy = 0;    ///< SCHED_OTHER, SCHED_FIFO, ...
  int priority = 0;  ///< real-time priority, 0 for none
  int cpu = -1;      ///< the CPU that it is pinned to, -1 if it may use several
  Time cpu_ns = 0;   ///< CPU time used since it began, ns
  /// Whether it is one of takt's own: a Thread created with a name that begins with `takt.`. Other
  /// threads may have such a name, too, as a thread has the name of the one that started it until
  /// it is named.
  bool own = false;
};

/// The name of a scheduling policy for display, such as FIFO or OTHER. Does not allocate.
const char * policy_name(int policy) noexcept;

/// The threads of the process, sorted by tid; one that ends meanwhile may be missing. Reads /proc,
/// so its time grows with the number of threads; allocates.
std::vector<ThreadInfo> threads_of_process();

/// The number of threads of the process, 0 if the kernel does not report it. One system call.
std::size_t thread_count() noexcept;

/// A hash of the set of threads, which also changes when one thread ends and another begins. A few
/// system calls, whose time grows with the number of threads; does not allocate.
std::uint64_t thread_set() noexcept;

/// The real-time priority of a thread, 0 if it has none or has ended. `tid` 0 is the calling
/// thread. A system call.
int realtime_priority(int tid) noexcept;

/// The CPU that a thread is pinned to; -1 if it may use several or has ended. A system call.
int pinned_cpu(int tid) noexcept;

/// The CPU on which a thread of the process runs or last ran; -1 if it has ended. Reads /proc.
int last_cpu(int tid) noexcept;

/// The CPU on which the calling thread runs. Some 20 ns, no system call.
int current_cpu() noexcept;

/// Whether the thread sleeps, that is, neither runs nor is ready to; false if it has ended. Reads
/// /proc.
bool sleeping(int tid) noexcept;

/// How long a thread of the process has been runnable, in ns: on a CPU or ready for one, neither
/// asleep nor stopped. 0 if it has ended or the kernel does not report it. Time spent ready is
/// added when the thread gets a CPU. Reads /proc.
Time runnable_time(int tid) noexcept;

/// The number of voluntary context switches of the calling thread. A system call, some 300 ns.
std::uint64_t voluntary_switches() noexcept;

/// The voluntary context switches of the calling thread that are not waits in this layer
/// (waits_of_thread()): other waits, and stops of the process (SIGSTOP, a debugger), after which
/// the kernel wakes waiting threads. Only differences are meaningful, since not every wait in this
/// layer leads to a sleep. A system call.
std::int64_t unexplained_switches() noexcept;

/// Names the calling thread; characters beyond 15 are cut off. A system call.
void name_thread(const std::string & name) noexcept;

/// Tells the CPU that the calling thread busy-waits. No system call.
inline void relax() noexcept {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// The kernel's id of the calling thread. A system call.
int thread_id() noexcept;

}  // namespace takt::os
