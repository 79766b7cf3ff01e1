// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace takt::lab {

/// The names of the executors for rclcpp nodes: rclcpp's own, and takt's.
const std::vector<std::string> & rclcpp_executors();
bool is_rclcpp_executor(const std::string & name);
/// The lower bound for executors of rclcpp nodes: a loop that calls rclcpp timers when they are due.
inline constexpr const char * rclcpp_floor = "floor-rclcpp";
/// takt's executor among them.
inline constexpr const char * takts_for_rclcpp = "takt-rclcpp";

}  // namespace takt::lab
