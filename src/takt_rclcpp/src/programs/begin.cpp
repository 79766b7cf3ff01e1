// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "begin.hpp"

#include <exception>
#include <rclcpp/logging.hpp>
#include <rclcpp/utilities.hpp>
#include <string>
#include <vector>

namespace takt::rclcpp {

void begin_ros(int argc, char const * const * argv) {
  constexpr auto no_handlers = ::rclcpp::SignalHandlerOptions::None;
  std::string reason;
  try {
    ::rclcpp::init(argc, argv, ::rclcpp::InitOptions(), no_handlers);
    return;
  } catch (const std::exception & error) {
    reason = error.what();
  }
  // If it was anything else it is refused again, and that is the user's.
  std::vector<const char *> arguments(argv, argv + argc);
  arguments.insert(arguments.end(), {"--ros-args", "--disable-external-lib-logs", "--"});
  ::rclcpp::init(static_cast<int>(arguments.size()), arguments.data(), ::rclcpp::InitOptions(),
                 no_handlers);
  RCLCPP_WARN(::rclcpp::get_logger("takt"),
              "no log file is written, only standard error and /rosout: %s. Set ROS_LOG_DIR to a "
              "folder that can be written",
              reason.c_str());
}

}  // namespace takt::rclcpp
