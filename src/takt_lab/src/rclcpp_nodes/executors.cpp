// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "rclcpp_nodes/executors.hpp"

#include <algorithm>

namespace takt::lab {

const std::vector<std::string> & rclcpp_executors() {
  static const std::vector<std::string> names{"rclcpp-single", "rclcpp-multi", "rclcpp-events",
                                              takts_for_rclcpp};
  return names;
}

bool is_rclcpp_executor(const std::string & name) {
  const auto & names = rclcpp_executors();
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace takt::lab
