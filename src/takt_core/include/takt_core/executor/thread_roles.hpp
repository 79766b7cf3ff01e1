// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "takt_core/executor/priority_plan.hpp"
#include "takt_core/os/threads.hpp"

namespace takt::executor {

/// The role of a thread of the process, as derived from its name.
enum class ThreadRole : std::uint8_t {
  timer,
  worker,
  handler,
  middleware,  ///< receives data; Cyclone DDS's sender
  events,      ///< heartbeats, acknowledgements, what discovery repeats
  background,  ///< may wait: discovery, file watches, logging, diagnostics
  ordinary,    ///< SCHED_OTHER whatever the plan says, since it busy-waits for locks
  unknown,     ///< neither takt's nor the middleware's: left as it is
};

/// Role of a thread by its name (of which the kernel keeps 15 characters):
///
/// | name                                          | role       | what it does                          |
/// |-----------------------------------------------|------------|---------------------------------------|
/// | `takt.timer`                                  | timer      |                                       |
/// | `takt.w1` ...                                 | worker     |                                       |
/// | `takt.handler`                                | handler    |                                       |
/// | `takt.clock`                                  | middleware | receives simulated time (/clock)      |
/// | any other `takt.*`                            | background | watchdog, log                         |
/// | `dds.udp.7412`, `dds.tcp.7412`, `dds.shm.7412`| by port    | receives; see below                   |
/// | `dds.ev.0`                                    | events     | heartbeats, acknowledgements          |
/// | `dds.asyn.0`                                  | ordinary   | asynchronous sender; see below        |
/// | any other `dds.*`, `dds.shm.wdog`             | background | discovery server, watchdogs, log      |
/// | `recv`, `recvUC`, `recvMC`, `dq.user`, `xmit.user` | middleware | Cyclone DDS                      |
/// | `tev`                                         | events     | Cyclone DDS                           |
/// | `dq.builtins`, `gc`, `lease`                  | background | Cyclone DDS                           |
///
/// Fast DDS's asynchronous sender retries without pause while a writer is locked; with a higher
/// priority than the lock's owner on the same CPU it would do so for ever. With synchronous
/// publication, the default of rmw_fastrtps, this thread resends what was lost or could not be sent
/// at once.
///
/// Ports follow the RTPS specification's default mapping (7400 + 250 * domain + ...): offset 0 and
/// even offsets from 10 on carry discovery and are background; offset 1, odd offsets from 11 on and
/// ports outside the mapping carry data and are middleware. Any thread; does not allocate.
ThreadRole thread_role(std::string_view name) noexcept;
/// The role of a thread. ThreadRole::unknown for a thread that has the name of one of takt's own
/// threads but is none: a thread has the name of the one that started it until it is named itself.
ThreadRole thread_role(const os::ThreadInfo & thread) noexcept;

/// A description of a thread with the name of one of takt's own threads that is none of them, for
/// warnings: it says which thread started it. Allocates.
std::string unnamed_thread(std::string_view name);

/// The role of threads whose names the table lacks or knows differently.
struct ThreadRule {
  /// A name of at most 15 characters, as the kernel keeps them; with `*` at its end, a prefix.
  std::string name;
  /// One of middleware, events, background and ordinary.
  ThreadRole role = ThreadRole::middleware;

  /// Whether the rule applies to a thread of this name. Does not allocate.
  bool fits(std::string_view thread) const noexcept;
  /// Throws std::invalid_argument if the name or the role is not allowed.
  void validate() const;
};

/// The role's name, as in PlannedThread::role. Does not allocate.
const char * to_string(ThreadRole role) noexcept;

/// The threads of the middleware and those without a known role.
struct MiddlewareThreads {
  /// The threads that have a role, with requested and granted priorities.
  std::vector<PlannedThread> planned;
  /// The names of threads without a role, each once and sorted. The name of the program stands for
  /// threads of it without names of their own and is left out; a worker's name stands for threads
  /// that a callback has started (unnamed_thread()). These threads are left as they are.
  std::vector<std::string> unknown;
};

/// Gives the middleware's threads the priorities of the plan, unless they have them already;
/// `rules` take precedence over the table of thread_role(); `several_workers` is for
/// PriorityPlan::events(). Returns the result for each thread; a
/// refusal is reported in PlannedThread::error, not by an exception. Threads that end meanwhile are
/// left out. Any thread, but one at a time; allocates, reads /proc.
MiddlewareThreads plan_middleware(const PriorityPlan & plan, const std::vector<ThreadRule> & rules,
                                  bool several_workers);
/// As above, without rules and for a single worker.
std::vector<PlannedThread> plan_middleware(const PriorityPlan & plan);

}  // namespace takt::executor
