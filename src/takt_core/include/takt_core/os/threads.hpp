// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "takt_core/os/clock.hpp"

namespace takt::os {

/// One thread of the process as the kernel shows it.
struct ThreadInfo {
  int tid = 0;
  std::string name;  ///< at most 15 characters
  int policy = 0;    ///< SCHED_OTHER, SCHED_FIFO, ...
  int priority = 0;  ///< real-time priority, 0 for none
  int cpu = -1;      ///< the CPU it is pinned to, -1 if it may use several
  Time cpu_ns = 0;   ///< CPU time it has used since it began, ns
  /// Takt's own: a Thread that was made with a name of `takt.`. Others may be called so, too, as a
  /// thread has the name of the one that started it until it gives itself one.
  bool own = false;
};

/// FIFO, OTHER and the like, for people: a string of the program.
const char * policy_name(int policy) noexcept;

/// All threads of the process, by tid; one that ends meanwhile may be left out. Reads /proc, so its
/// time grows with the number of threads; allocates.
std::vector<ThreadInfo> threads_of_process();

/// How many threads the process has, 0 if the kernel does not tell: one system call.
std::size_t thread_count() noexcept;

/// A number that changes when one thread ends and another begins, too. A few system calls, whose time
/// grows with the number of threads; allocates nothing.
std::uint64_t thread_set() noexcept;

/// Real-time priority of a thread, 0 if it has none or is gone. `tid` 0 is the calling thread. A
/// system call.
int realtime_priority(int tid) noexcept;

/// The one CPU a thread may use; -1 if there are several or it is gone. A system call.
int pinned_cpu(int tid) noexcept;

/// The CPU that a thread of the process runs on or ran on last; -1 if it is gone. Reads /proc.
int last_cpu(int tid) noexcept;

/// The CPU that the calling thread runs on. Some 20 ns, no system call.
int current_cpu() noexcept;

/// True if the thread sleeps (not: runs or is ready to); false if it is gone. Reads /proc.
bool sleeping(int tid) noexcept;

/// For how long, in ns, a thread of the process has had a CPU or been ready for one: all of the time in
/// which it neither slept nor was stopped. 0 if it is gone or the kernel does not tell. What it has
/// been ready for without a break counts when it gets a CPU. Reads /proc.
Time runnable_time(int tid) noexcept;

/// How often the calling thread has given up the CPU by itself since it began. A system call, some
/// 300 ns.
std::uint64_t voluntary_switches() noexcept;

/// Those of them that are not waits of this layer (waits_of_thread()): waits for something else, and
/// stops of the process (SIGSTOP, a debugger), for which the kernel wakes who waits. Only differences
/// mean something; not every wait of this layer comes to a sleep. A system call.
std::int64_t unexplained_switches() noexcept;

/// Names the calling thread; what is beyond 15 characters is cut off. A system call.
void name_thread(const std::string & name) noexcept;

/// Tells the processor that the calling thread spins. No system call.
inline void relax() noexcept {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// Id of the calling thread as the kernel knows it. A system call.
int thread_id() noexcept;

}  // namespace takt::os
