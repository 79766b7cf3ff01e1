// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "begin.hpp"

#include <rcl_logging_interface/rcl_logging_interface.h>
#include <rcutils/allocator.h>
#include <rcutils/error_handling.h>

#include <rclcpp/logging.hpp>
#include <rclcpp/utilities.hpp>
#include <string>
#include <vector>

#include "takt_core/os/writable_folder.hpp"

namespace takt::rclcpp {
namespace {

/// Returns why no log file can be written; "" if it can.
std::string log_folder_fault() {
  const rcutils_allocator_t allocator = rcutils_get_default_allocator();
  char * found = nullptr;
  if (rcl_logging_get_logging_directory(allocator, &found) != RCL_LOGGING_RET_OK) {
    const std::string why = rcutils_get_error_string().str;
    rcutils_reset_error();
    return "there is no folder for log files: " + why;
  }
  const std::string folder = found;
  allocator.deallocate(found, allocator.state);
  return os::folder_fault(folder);
}

}  // namespace

void begin_ros(int argc, char const * const * argv) {
  // Checked before rcl tries it, because rcl's initialisation would fail.
  const std::string fault = log_folder_fault();
  std::vector<const char *> arguments(argv, argv + argc);
  if (!fault.empty()) {
    arguments.insert(arguments.end(), {"--ros-args", "--disable-external-lib-logs", "--"});
  }
  ::rclcpp::init(static_cast<int>(arguments.size()), arguments.data(), ::rclcpp::InitOptions(),
                 ::rclcpp::SignalHandlerOptions::None);
  if (fault.empty()) return;
  RCLCPP_WARN(::rclcpp::get_logger("takt"),
              "no log file is written, only standard error and /rosout: %s. Set ROS_LOG_DIR to a "
              "writable folder",
              fault.c_str());
}

}  // namespace takt::rclcpp
