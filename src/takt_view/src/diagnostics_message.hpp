// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <diagnostic_msgs/msg/diagnostic_array.hpp>
#include <map>
#include <string>

#include "takt_core/tasks/inspection.hpp"

namespace takt::view {

/// Composes the message for `/diagnostics`: one status for the executor and one for each task. The level
/// of a status depends on what has changed since the previous message. One thread at a time.
class DiagnosticsMessage {
 public:
  /// Returns the message, without a stamp. `node` is the name of the publishing node. Allocates.
  diagnostic_msgs::msg::DiagnosticArray make(const tasks::Inspection & inspection,
                                             const std::string & node, const std::string & host);

 private:
  executor::Statistics before_;
  std::map<std::string, model::TaskCounters> tasks_before_;
};

}  // namespace takt::view
