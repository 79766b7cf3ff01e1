// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "takt_core/os/cpu_stretches.hpp"
#include "takt_core/tasks/inspection.hpp"

namespace takt::view {

/// Watches, for as long as somebody asked for it, the threads of an executor's process that go before
/// all of its callbacks: how long they have a CPU without a pause. One thread at a time.
class ThreadWatch {
 public:
  /// From now on for `length`; a watch that goes on goes on for so long from now.
  void begin(os::Time now, os::Time length);
  /// Again and again, with the threads there are: reads what was recorded, adds those that have come,
  /// and ends what is over.
  void look(os::Time now, const tasks::Inspection & inspection);
  /// What is known, into the inspection.
  void fill(tasks::Inspection & inspection) const;

 private:
  os::Time from_ = 0;
  os::Time last_ = 0;  // look
  os::Time until_ = 0;
  std::string error_;
  os::CpuStretches stretches_;
  std::map<int, os::CpuStretches::Longest> longest_;  // by thread
};

}  // namespace takt::view
