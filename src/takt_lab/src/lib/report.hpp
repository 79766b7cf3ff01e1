// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <takt_core/executor/processor.hpp>
#include <takt_core/os/rights.hpp>
#include <vector>

#include "overseer.hpp"
#include "work.hpp"

namespace takt::lab {

/// Whose CPU time a thread's is: of the executor, of the middleware, or of neither.
enum class ThreadClass : std::uint8_t { executor, middleware, other };
const char * to_string(ThreadClass thread_class) noexcept;

/// What is known of the process's threads beside their names.
struct ThreadFacts {
  int main_tid = 0;
  /// Whether the main thread runs callbacks (the stock executor) or only waits.
  bool main_executes = false;
  /// Threads that libraries had started before main began; they belong to neither.
  std::vector<int> earlier;
  /// Threads that there were when an executor that is not takt's began to spin: those that came
  /// since are its own. Empty under takt's.
  std::vector<int> before_spin = {};
  /// The priority the main thread had when it started the others.
  int inherited = 0;
  /// Threads whose priority was asked for one by one.
  std::vector<executor::PlannedThread> planned;
};

ThreadClass class_of(const ThreadUse & thread, const ThreadFacts & facts) noexcept;

/// CPU time within the window: `threads`, `cpu_ns` by class, `process_cpu_ns`. Time of threads that
/// have ended is of class `other`. `reading`: see Overseer.
nlohmann::ordered_json cpu_json(const CpuWindow & cpu, const ThreadFacts & facts,
                                model::Duration reading);

nlohmann::ordered_json to_json(const Calibration & calibration);
nlohmann::ordered_json to_json(const executor::Grants & grants);
nlohmann::ordered_json to_json(const executor::Statistics & statistics);
nlohmann::ordered_json to_json(const Window & window);

/// What the programs were built with and run on, as far as only they know.
nlohmann::ordered_json versions_json();

/// A record like the executor's for programs whose one line of execution is the main thread: what
/// was asked for and granted.
executor::Grants plain_grants(const std::string & policy, const os::Granted & priority, int cpu,
                              const os::Granted & memory);

}  // namespace takt::lab
