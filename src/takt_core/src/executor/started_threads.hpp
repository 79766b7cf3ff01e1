// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>

#include "log.hpp"

namespace takt::executor {

/// Threads of ordinary priority that may run on the processor's CPU alone, as those do that a callback
/// starts: they inherit that from its worker, and get what callbacks leave. By one thread, which may
/// wait.
class StartedThreads {
 public:
  /// `widen`: they get the CPUs of the process; else each name is said once, and that a thread has none
  /// of its own likewise.
  StartedThreads(int cpu, bool widen, Log & log) : cpu_(cpu), widen_(widen), log_(log) {}

  /// Reads /proc; allocates.
  void look();

 private:
  const int cpu_;
  const bool widen_;
  Log & log_;
  std::set<int> known_;  // of the last look
  std::set<std::string> told_;
};

}  // namespace takt::executor
