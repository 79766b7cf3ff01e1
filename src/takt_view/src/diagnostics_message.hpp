// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <diagnostic_msgs/msg/diagnostic_array.hpp>
#include <map>
#include <string>

#include "takt_core/tasks/inspection.hpp"

namespace takt::view {

/// Makes the message of `/diagnostics`: a status of the executor and one of each task. What is new
/// since the message before decides the level. One thread at a time.
class DiagnosticsMessage {
 public:
  /// Without a stamp. `node`: who publishes it.
  diagnostic_msgs::msg::DiagnosticArray make(const tasks::Inspection & inspection,
                                             const std::string & node, const std::string & host);

 private:
  executor::Statistics before_;
  std::map<std::string, model::TaskCounters> tasks_before_;
};

}  // namespace takt::view
