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

/// Options of a node. They are read once, by Node's constructor, which documents what it throws.
struct NodeOptions {
  /// The ROS context. Default (nullptr): the default context.
  std::shared_ptr<Context> context = nullptr;
  /// The namespace, for example `a/b`; always absolute, with or without a leading slash. ROS arguments
  /// of the command line may remap it, as they may the name. Empty: the root namespace.
  std::string namespace_ = {};
  /// ROS arguments of this node alone, as on a command line: {"--ros-args", "-r", "a:=b"}.
  std::vector<std::string> arguments = {};
  /// Whether the ROS arguments of the command line apply to this node.
  bool use_global_arguments = true;
  /// Whether log messages are also published on /rosout.
  bool enable_rosout = true;
  /// The default of SubscriptionOptions::intra_process for subscriptions of this node.
  bool intra_process = true;
  /// The executor's processor that runs the node's callbacks: an index in
  /// SchedulingExecutorOptions::cpus, from 0, not the number of a CPU. Callbacks and groups may have
  /// processors of their own. Default: the executor places each task.
  std::optional<std::size_t> processor = std::nullopt;

  /// Initial values of parameters. They take precedence over those of YAML files and the command line.
  std::vector<Parameter> parameter_overrides = {};
  /// Whether parameters may be set without having been declared.
  bool allow_undeclared_parameters = false;
  /// Whether parameters with a value from YAML files, the command line or `parameter_overrides` are
  /// declared automatically. Empty lists are not, because their type is known only when they are
  /// declared.
  bool automatically_declare_parameters_from_overrides = false;
  /// Whether the node offers the standard parameter services, as callbacks of the lowest priority.
  bool start_parameter_services = true;
  /// Whether changes of parameters are published on /parameter_events.
  bool start_parameter_event_publisher = true;
  /// Whether the node offers the service `~/set_scenario`, by which other processes can request a
  /// scenario, as a callback of the lowest priority in a group of its own. Default: only if the node has
  /// a scheduling strategy.
  std::optional<bool> enable_scenario_service = std::nullopt;
  /// Whether the node offers the standard services that get and set logger levels, as callbacks of the
  /// lowest priority.
  bool enable_logger_service = false;
};

}  // namespace takt
