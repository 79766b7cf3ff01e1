// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "takt_core/executor/processors.hpp"
#include "takt_core/executor/task_status.hpp"
#include "takt_core/model/task.hpp"
#include "takt_core/os/clock.hpp"
#include "takt_core/os/cpu_stretches.hpp"
#include "takt_core/os/lock_waits.hpp"
#include "takt_core/os/threads.hpp"

namespace takt::tasks {

/// A task, as an executor reports it. Utilisations as in TaskPlacement.
struct InspectedTask {
  std::string id;
  std::string node;
  model::TaskKind kind = model::TaskKind::other;
  std::vector<std::string> reads;  ///< topics
  std::size_t processor = 0;
  std::size_t group = 0;  ///< tasks with the same number are in the same group
  bool exclusive = false;
  double declared = 0;
  double measured = 0;
  executor::TaskStatus status;
  executor::ResponseCounts total;
  executor::ResponseCounts recent;  ///< during the last period of diagnostics
};

/// A processor, as an executor reports it.
struct InspectedProcessor {
  int cpu = -1;
  executor::Grants grants;
  executor::Statistics statistics;
};

/// A thread of the process, as an executor reports it.
struct InspectedThread {
  os::ThreadInfo info;
  const char * role = "";
  int asked = -1;  ///< the requested FIFO priority; -1: not in the priority plan
  int last_cpu = -1;
  std::optional<os::CpuStretches::Longest> longest_run;  ///< no value: it is not watched
};

/// The configuration and the state of an executor.
struct Inspection {
  executor::Grants grants;
  executor::Statistics statistics;
  std::string scenario;
  std::vector<std::string> scenarios;
  std::vector<std::string> nodes;
  std::vector<InspectedProcessor> processors;
  std::vector<InspectedTask> tasks;  ///< sorted by id
  std::vector<InspectedThread> threads;
  os::Time watched = 0;     ///< for how long the threads have been watched, ns
  std::string watch_error;  ///< why a thread could not be watched; empty otherwise
  /// The lock waits of the process; no value without libtakt_inheritance.so.
  std::optional<os::LockWaits> lock_waits;
  /// The time of the first node that uses simulated time, in ns; no value if there is none.
  std::optional<std::int64_t> simulated_now;
};

/// The threads of this process, with the priorities that the executor asked for. Reads /proc;
/// allocates.
std::vector<InspectedThread> inspect_threads(const executor::Grants & grants);

}  // namespace takt::tasks
