// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>

#include "takt_core/tasks/duration.hpp"

namespace takt {

/// How an executor that schedules shows itself while it spins: a node of its own, on a thread of ordinary
/// priority, publishes `/diagnostics` (diagnostic_msgs), answers `~/inspect` (what `takt inspect` and
/// `takt top` ask) and takes requests for scenarios at `~/set_scenario`.
struct Diagnostics {
  /// Without it there is no such node, and response times are not counted, which costs a job two
  /// cache misses at most.
  bool enabled = true;
  /// Between two messages, above 0; also what "recent" means in them.
  Duration period = std::chrono::seconds(1);
  /// The name of that node. Default: `takt_` and the number of the process; `_2` and so on after it
  /// for further executors of the process.
  std::string node = {};
};

}  // namespace takt
