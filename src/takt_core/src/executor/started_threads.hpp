// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>

#include "log.hpp"

namespace takt::executor {

/// Finds threads of ordinary priority that are confined to the processor's CPU, as threads started
/// by a callback are: they inherit that from its worker, and get only what the callbacks leave of
/// the CPU. Used by one thread, which may block.
class StartedThreads {
 public:
  /// `widen`: whether to give them all CPUs of the process. Otherwise each name is logged once, and
  /// once the threads that have no name of their own.
  StartedThreads(int cpu, bool widen, Log & log) : cpu_(cpu), widen_(widen), log_(log) {}

  /// Checks the threads. Reads /proc; allocates.
  void look();

 private:
  const int cpu_;
  const bool widen_;
  Log & log_;
  std::set<int> known_;  // at the last check
  std::set<std::string> logged_names_;
};

}  // namespace takt::executor
