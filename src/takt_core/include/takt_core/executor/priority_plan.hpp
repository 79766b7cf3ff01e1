// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace takt::executor {

/// The OS priorities of all threads of the process: SCHED_FIFO 1 to 99, or 0 for SCHED_OTHER. By
/// default all lie below the kernel's interrupt threads (FIFO 50), which would otherwise be
/// starved, the network's among them.
struct PriorityPlan {
  int timer = 49;       ///< releases jobs; above the workers
  int middleware = 48;  ///< receive threads; above the workers, which would starve them. Also event
                        ///< threads, if there is a single worker; see events()
  int handler = 47;     ///< runs the handlers of misses, overruns and budgets
  int workers_high = 46;  ///< the worker of the highest preemption level
  int workers_low = 2;    ///< the lowest worker
  int background = 0;     ///< threads that may wait: discovery, watchdog, trace, diagnostics

  /// The priority of the worker of `level`, from 1 to `levels`: the highest level has workers_high,
  /// the next one 2 less, each one below it 1 less, but none less than workers_low. Any thread; does
  /// not allocate.
  int worker(std::size_t level, std::size_t levels) const noexcept;
  /// The priority of the middleware's event threads, which send heartbeats, acknowledgements and
  /// what discovery repeats, sometimes for a quarter of a millisecond at a time. With `several`
  /// workers it is workers_high - 1: no job of the highest level waits for them, and they wait for
  /// no other. A single worker would starve them, so it is `middleware` then; it is never more than
  /// that. Any thread; does not allocate.
  int events(bool several) const noexcept;
  /// The number of levels that can have a priority of their own; at least 1.
  std::size_t max_levels() const noexcept;
  /// Throws std::invalid_argument, with one line that names the wrong entry, if the plan is not
  /// valid.
  void validate() const;
};

/// A thread of the process, as planned and as found. Priorities are those of SCHED_FIFO, 0 for
/// none.
struct PlannedThread {
  std::string name;  ///< as the kernel shows it
  int tid = 0;
  std::string role;   ///< timer, worker, middleware, events, handler, background, ordinary
  int asked = 0;      ///< the requested FIFO priority, 0 for SCHED_OTHER
  int granted = 0;    ///< the priority as read back from the kernel
  int cpu = -1;       ///< the CPU it is pinned to, -1 for none
  std::string error;  ///< why `asked` was not granted; empty if it was
};

}  // namespace takt::executor
