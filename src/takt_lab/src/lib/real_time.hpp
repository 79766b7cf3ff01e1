// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <takt_core/executor/priority_plan.hpp>
#include <takt_core/os/rights.hpp>

namespace takt::lab {

class CommandLine;

/// The real-time settings of a process, each of which can be set separately. By default none is on.
struct RealTime {
  bool lock_memory = false;
  /// The priority plan as given on the command line; see plan_of().
  std::string plan;
  /// SCHED_FIFO priority of the main thread while the middleware starts, which the middleware's threads
  /// inherit; 0: none.
  int inherit = 0;
  /// The allocator of `operator new`: `malloc`, that of the C library, or `tlsf`.
  std::string allocator = "malloc";
  /// The CPU of the whole process; -1: any.
  int cpu = -1;
  /// Whether CPUs are kept from sleeping; see Awake.
  bool awake = false;
  /// Number of messages for which the middleware reserves memory; 0: its default.
  std::size_t history = 0;
};

void add_options(CommandLine & line, RealTime & settings);

/// Parses a priority plan, such as `timer=80,middleware=79,workers=77`. It may name some or all kinds of
/// threads; the others keep their default distance from the workers. `workers` is the priority of the
/// highest level. Returns nothing for an empty text. Throws Error.
std::optional<executor::PriorityPlan> plan_of(const std::string & text);

/// Returns the plan for a process whose threads inherit `priority`: that of the middleware and the workers is
/// this one, and the threads that must be above the workers are just above it.
executor::PriorityPlan inherited_plan(int priority);

nlohmann::ordered_json to_json(const RealTime & settings);
nlohmann::ordered_json to_json(const os::Granted & granted);
/// Returns the current threads of the process with name, tid, role, policy, priority and CPU.
nlohmann::ordered_json threads_json();

}  // namespace takt::lab
