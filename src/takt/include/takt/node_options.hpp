// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "takt/context.hpp"

namespace takt {

struct NodeOptions {
  /// Default: the default context.
  std::shared_ptr<Context> context;
  /// Remapped by the command line's ROS arguments like the name.
  std::string namespace_;
  /// ROS arguments of this node alone, as on a command line: {"--ros-args", "-r", "a:=b"}.
  std::vector<std::string> arguments;
  /// Whether the command line's ROS arguments count for this node.
  bool use_global_arguments = true;
  /// Whether log messages also go to /rosout.
  bool enable_rosout = true;
  /// Whether messages may be exchanged inside the process; see SubscriptionOptions.
  bool intra_process = true;
};

}  // namespace takt
