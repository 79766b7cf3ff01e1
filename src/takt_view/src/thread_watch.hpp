// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "takt_core/os/cpu_stretches.hpp"
#include "takt_core/tasks/inspection.hpp"

namespace takt::view {

/// Measures, for a requested time, how long the threads of an executor's process that have priority over
/// all of its callbacks run without interruption. One thread at a time.
class ThreadWatch {
 public:
  /// Begins to watch at `now`, for `length`. If watching is going on, it is extended to that time.
  void begin(os::Time now, os::Time length);
  /// To be called periodically with the current threads: reads the records of the kernel, watches new
  /// threads, and ends the watch when its time is over.
  void look(os::Time now, const tasks::Inspection & inspection);
  /// Writes the results so far to the inspection.
  void fill(tasks::Inspection & inspection) const;

 private:
  os::Time from_ = 0;
  os::Time last_ = 0;  // of the last call of look()
  os::Time until_ = 0;
  std::string error_;
  os::CpuStretches stretches_;
  std::map<int, os::CpuStretches::Longest> longest_;  // by thread
};

}  // namespace takt::view
