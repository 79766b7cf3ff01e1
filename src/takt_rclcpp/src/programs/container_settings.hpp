// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "takt_core/tasks/scheduling_controls.hpp"

namespace takt::rclcpp {

/// What the container is told by parameters and has to know before it has an executor.
struct ContainerSettings {
  SchedulingOptions scheduling;
  /// A file; "": none.
  std::string strategy;
  std::chrono::nanoseconds strategy_check_after{};
  std::chrono::nanoseconds callback_timeout{};
  /// Of what the executor tells its handlers, lines are written.
  bool log_misses = false;
  bool log_overruns = false;
  bool log_budgets = false;
};

/// From the parameters of the container's node; `arguments` are the program's. Throws std::exception:
/// one line that names the parameter.
ContainerSettings read_container_settings(const std::vector<std::string> & arguments);

}  // namespace takt::rclcpp
