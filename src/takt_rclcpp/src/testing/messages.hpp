// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <std_msgs/msg/u_int64.hpp>

namespace takt::rclcpp::testing {

inline std_msgs::msg::UInt64 number(std::uint64_t value) {
  std_msgs::msg::UInt64 message;
  message.data = value;
  return message;
}

}  // namespace takt::rclcpp::testing
