// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "takt/context.hpp"
#include "takt/parameter.hpp"

namespace takt {

/// Read once, when the node is made; see Node's constructor for what it throws.
struct NodeOptions {
  /// Default: the default context.
  std::shared_ptr<Context> context = nullptr;
  /// As `a/b`, absolute with or without a slash; remapped by the command line's ROS arguments like
  /// the name. Empty: the root.
  std::string namespace_ = {};
  /// ROS arguments of this node alone, as on a command line: {"--ros-args", "-r", "a:=b"}.
  std::vector<std::string> arguments = {};
  /// Whether the command line's ROS arguments count for this node.
  bool use_global_arguments = true;
  /// Whether log messages also go to /rosout.
  bool enable_rosout = true;
  /// Whether messages may be exchanged inside the process; see SubscriptionOptions.
  bool intra_process = true;
  /// Which of its executor's processors its callbacks run on, from 0: a place in
  /// SchedulingExecutorOptions::cpus, not a CPU. Callbacks and groups may be given their own.
  /// Default: the executor's choice.
  std::optional<std::size_t> processor = std::nullopt;

  /// Values of parameters; they go before those of YAML files and the command line.
  std::vector<Parameter> parameter_overrides = {};
  /// Whether parameters may be set without being declared.
  bool allow_undeclared_parameters = false;
  /// Whether every parameter that is given from outside is declared by that, but for an empty list,
  /// whose type is that with which it is declared.
  bool automatically_declare_parameters_from_overrides = false;
  /// Whether parameter clients are served: by callbacks of the node of the lowest priority.
  bool start_parameter_services = true;
  /// Whether changes of parameters are told on /parameter_events.
  bool start_parameter_event_publisher = true;
  /// Whether scenarios can be asked for from outside: the service `~/set_scenario`, by such a
  /// callback, too, in a group of its own. Default: if the node has a scheduling strategy.
  std::optional<bool> enable_scenario_service = std::nullopt;
  /// Whether levels of loggers can be got and set from outside, by such callbacks too.
  bool enable_logger_service = false;
};

}  // namespace takt
