// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>

#include "takt_core/tasks/duration.hpp"

namespace takt {

/// How a SchedulingExecutor reports about itself while it spins: a node of its own, on a thread of
/// ordinary priority, publishes `/diagnostics` (diagnostic_msgs), answers `~/inspect` (the service
/// behind `takt inspect` and `takt top`) and accepts requests for scenarios at `~/set_scenario`.
struct Diagnostics {
  /// Whether there is such a node. Without it response times are not counted, which saves each job
  /// up to two cache misses.
  bool enabled = true;
  /// The publishing period, above 0; also the window of figures called "recent".
  Duration period = std::chrono::seconds(1);
  /// The name of that node. Default: `takt_` and the process id, followed by `_2` and so on for
  /// further executors of the process.
  std::string node = {};
};

}  // namespace takt
