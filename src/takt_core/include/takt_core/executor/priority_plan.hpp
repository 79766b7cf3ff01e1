// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace takt::executor {

/// OS priorities of every thread of the process: SCHED_FIFO 1 to 99, or 0 for SCHED_OTHER.
/// By default everything lies below the kernel's interrupt threads (FIFO 50), or takt would starve
/// its own network.
struct PriorityPlan {
  int timer = 49;         ///< makes releases; above the workers
  int middleware = 48;    ///< receive and event threads; below the workers they would starve
  int handler = 47;       ///< runs deadline-miss handlers
  int workers_high = 46;  ///< the worker of the highest preemption level
  int workers_low = 2;    ///< the lowest a worker may have; the band holds high - low + 1 levels
  int background = 0;     ///< whatever may wait: discovery, watchdog, trace drain, diagnostics

  /// The priority of the worker of `level`, 1 to `levels`: the highest level has workers_high, each
  /// below it one less, none less than workers_low. Any thread; does not allocate.
  int worker(std::size_t level, std::size_t levels) const noexcept;
  /// How many levels have a priority of their own; at least 1.
  std::size_t max_levels() const noexcept;
  /// Throws std::invalid_argument with one line that says which line of the plan is wrong.
  void validate() const;
};

/// One thread of the process as planned and as found. Priorities are SCHED_FIFO's, 0 for none.
struct PlannedThread {
  std::string name;  ///< as the kernel shows it
  int tid = 0;
  std::string role;   ///< timer, worker, middleware, handler, background, ordinary
  int asked = 0;      ///< FIFO priority, 0 for SCHED_OTHER
  int granted = 0;    ///< read back from the kernel
  int cpu = -1;       ///< the CPU it is pinned to, -1 for none
  std::string error;  ///< why asked was not granted, empty otherwise
};

}  // namespace takt::executor
