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

/// The class to which the CPU time of a thread is attributed.
enum class ThreadClass : std::uint8_t { executor, middleware, other };
const char * to_string(ThreadClass thread_class) noexcept;

/// Facts about the process's threads that their names do not show.
struct ThreadFacts {
  int main_tid = 0;
  /// Whether the main thread runs callbacks (stock executor) or only waits.
  bool main_executes = false;
  /// Threads that libraries had started before main(); they are of class `other`.
  std::vector<int> earlier;
  /// The threads that existed when an executor other than takt's began to spin; later ones belong to that
  /// executor. Empty under takt.
  std::vector<int> before_spin = {};
  /// The priority that the main thread had when it started the others.
  int inherited = 0;
  /// The threads whose priorities were requested individually.
  std::vector<executor::PlannedThread> planned;
};

ThreadClass class_of(const ThreadUse & thread, const ThreadFacts & facts) noexcept;

/// Returns the CPU times within the window: `threads`, `cpu_ns` by class, `process_cpu_ns`. The time of
/// threads that have ended counts as class `other`. For `reading` see Overseer.
nlohmann::ordered_json cpu_json(const CpuWindow & cpu, const ThreadFacts & facts,
                                model::Duration reading);

nlohmann::ordered_json to_json(const Calibration & calibration);
nlohmann::ordered_json to_json(const executor::Grants & grants);
nlohmann::ordered_json to_json(const executor::Statistics & statistics);
nlohmann::ordered_json to_json(const Window & window);

/// Returns the versions of what the programs were built with and run on, as far as only they know them.
nlohmann::ordered_json versions_json();

/// Returns the grants, in the form of the executor's, for programs that run everything on the main thread.
executor::Grants plain_grants(const std::string & policy, const os::Granted & priority, int cpu,
                              const os::Granted & memory);

}  // namespace takt::lab
