// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "takt_core/executor/priority_plan.hpp"
#include "takt_core/os/threads.hpp"

namespace takt::executor {

/// What a thread of the process is for, as far as its name tells.
enum class ThreadRole : std::uint8_t {
  timer,
  worker,
  handler,
  middleware,  ///< brings data in: receive and event threads; Cyclone DDS's sender
  background,  ///< may wait: discovery, file watches, logging, diagnostics
  ordinary,    ///< SCHED_OTHER whatever the plan says: it spins for locks
  unknown,     ///< not takt's nor the middleware's: left as it is
};

/// Role of a thread by its name (the kernel keeps 15 characters of it):
///
/// | name                                          | role       | what it does                          |
/// |-----------------------------------------------|------------|---------------------------------------|
/// | `takt.timer`                                  | timer      |                                       |
/// | `takt.w1` ...                                 | worker     |                                       |
/// | `takt.handler`                                | handler    |                                       |
/// | `takt.clock`                                  | middleware | takes simulated time                  |
/// | `takt.` and anything                          | background | watchdog, log                         |
/// | `dds.udp.7412`, `dds.tcp.7412`, `dds.shm.7412`| by port    | receives; see below                   |
/// | `dds.ev.0`                                    | middleware | heartbeats, acknowledgements          |
/// | `dds.asyn.0`                                  | ordinary   | asynchronous sender; see below        |
/// | `dds.` and anything, `dds.shm.wdog`           | background | discovery server, watchdogs, log      |
/// | `recv`, `recvUC`, `recvMC`, `tev`, `dq.user`, `xmit.user` | middleware | Cyclone DDS               |
/// | `dq.builtins`, `gc`, `lease`                  | background | Cyclone DDS                           |
///
/// Fast DDS's asynchronous sender tries again without pause where a writer is locked, and above the
/// lock's owner on its CPU it would do so for ever. With synchronous publication, rmw_fastrtps's
/// default, it sends again what was lost or could not be sent at once.
///
/// Ports follow the RTPS rules (7400 + 250 * domain + ...): offset 0 and the even ones from 10
/// carry discovery and are background; offset 1, the odd ones from 11 and ports outside the rules
/// carry data and are middleware. Any thread; does not allocate.
ThreadRole thread_role(std::string_view name) noexcept;
/// Likewise, and unknown where it is called as takt's own are and is none of them: until a thread names
/// itself it has the name of the one that started it.
ThreadRole thread_role(const os::ThreadInfo & thread) noexcept;

/// In words, of a thread that is called as one of takt's own and is none: whoever runs on that started
/// it.
std::string unnamed_thread(std::string_view name);

/// What a thread is for whose name the table does not know, or knows otherwise.
struct ThreadRule {
  /// At most 15 characters, as the kernel keeps them; with `*` at its end: all that begin so.
  std::string name;
  /// middleware, background or ordinary.
  ThreadRole role = ThreadRole::middleware;

  bool fits(std::string_view thread) const noexcept;
  /// Throws std::invalid_argument.
  void validate() const;
};

/// The role's word in PlannedThread::role. A string of the program; does not allocate.
const char * to_string(ThreadRole role) noexcept;

/// The middleware's threads, as far as they are known.
struct MiddlewareThreads {
  std::vector<PlannedThread> planned;
  /// Names of those that nobody has a role for, but for the program's, which threads have that it
  /// starts and that have none of their own; a worker's name is of those that a callback starts likewise
  /// (unnamed_thread()). They are as they were. Each once, in order.
  std::vector<std::string> unknown;
};

/// Gives the middleware's threads the priorities of the plan; those that have theirs are left
/// alone. `rules` go before the table. Tells what became of each; what is refused is no exception but
/// a line in PlannedThread::error. Threads that ended meanwhile are left out. Any thread, one at a
/// time; allocates, reads /proc.
MiddlewareThreads plan_middleware(const PriorityPlan & plan, const std::vector<ThreadRule> & rules);
/// The same by the table alone.
std::vector<PlannedThread> plan_middleware(const PriorityPlan & plan);

}  // namespace takt::executor
