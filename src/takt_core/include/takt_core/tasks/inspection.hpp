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

/// A task as an executor's registry of tasks knows it.
struct InspectedTask {
  std::string id;
  std::string node;
  model::TaskKind kind = model::TaskKind::other;
  std::vector<std::string> reads;  ///< topics
  std::size_t processor = 0;
  std::size_t group = 0;  ///< one number, one group
  bool exclusive = false;
  double declared = 0;
  double measured = 0;
  executor::TaskStatus status;
  executor::ResponseCounts total;
  executor::ResponseCounts recent;  ///< in the last period of diagnostics
};

struct InspectedProcessor {
  int cpu = -1;
  executor::Grants grants;
  executor::Statistics statistics;
};

struct InspectedThread {
  os::ThreadInfo info;
  const char * role = "";
  int asked = -1;  ///< -1: not in the plan
  int last_cpu = -1;
  std::optional<os::CpuStretches::Longest> longest_run;  ///< nothing: it is not watched
};

/// What an executor is made of and how it does.
struct Inspection {
  executor::Grants grants;
  executor::Statistics statistics;
  std::string scenario;
  std::vector<std::string> scenarios;
  std::vector<std::string> nodes;
  std::vector<InspectedProcessor> processors;
  std::vector<InspectedTask> tasks;  ///< in the order of their ids
  std::vector<InspectedThread> threads;
  os::Time watched = 0;     ///< for how long threads have been
  std::string watch_error;  ///< why some could not be; empty otherwise
  /// Of the process; nothing without libtakt_inheritance.so.
  std::optional<os::LockWaits> lock_waits;
  /// What the clock of the first node on simulated time says, ns; nothing: there is none.
  std::optional<std::int64_t> simulated_now;
};

/// The threads of this process, with what the executor asked for them. Reads /proc.
std::vector<InspectedThread> inspect_threads(const executor::Grants & grants);

}  // namespace takt::tasks
