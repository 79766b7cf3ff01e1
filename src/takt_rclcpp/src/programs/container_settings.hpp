// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "takt_core/tasks/scheduling_controls.hpp"

namespace takt::rclcpp {

/// The settings of the container, from parameters that are needed before it has an executor.
struct ContainerSettings {
  SchedulingOptions scheduling;
  /// The path of the strategy file; "": none.
  std::string strategy;
  std::chrono::nanoseconds strategy_check_after{};
  std::chrono::nanoseconds callback_timeout{};
  // Whether deadline misses, overruns and exhausted budgets are logged.
  bool log_misses = false;
  bool log_overruns = false;
  bool log_budgets = false;
};

/// Reads the settings from the parameters of the container's node. `arguments` are the program's. Throws an
/// exception derived from std::exception whose text is one line that names the parameter.
ContainerSettings read_container_settings(const std::vector<std::string> & arguments);

}  // namespace takt::rclcpp
