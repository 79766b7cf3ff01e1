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

/// The real-time settings of a process, each by itself. None is on unless asked for.
struct RealTime {
  bool lock_memory = false;
  /// As given; see plan_of().
  std::string plan;
  /// SCHED_FIFO priority of the main thread while the middleware starts, which its threads inherit.
  int inherit = 0;
  /// `malloc`, the C library's, or `tlsf`.
  std::string allocator = "malloc";
  /// The CPU of the whole process; -1: any.
  int cpu = -1;
  bool awake = false;
  /// Messages that the middleware reserves memory for; 0: its default.
  std::size_t history = 0;
};

void add_options(CommandLine & line, RealTime & settings);

/// `timer=80,middleware=79,workers=77`: some or all of the plan's lines, the rest follow: what is not
/// named is as far from the workers as by default. `workers` is the highest level's. None for an
/// empty text. Throws Error.
std::optional<executor::PriorityPlan> plan_of(const std::string & text);

/// Where all threads inherit one priority: the middleware's keep it, workers have it, too, and what
/// must be above them is just there.
executor::PriorityPlan inherited_plan(int priority);

nlohmann::ordered_json to_json(const RealTime & settings);
nlohmann::ordered_json to_json(const os::Granted & granted);
/// All threads of the process as the kernel has them now: name, tid, role, policy, priority, CPU.
nlohmann::ordered_json threads_json();

}  // namespace takt::lab
