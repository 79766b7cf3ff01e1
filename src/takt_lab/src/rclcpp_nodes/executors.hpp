// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace takt::lab {

/// The executors for nodes of rclcpp: its own, and takt's.
const std::vector<std::string> & rclcpp_executors();
bool is_rclcpp_executor(const std::string & name);
/// What no executor of theirs can be below: a loop that calls rclcpp's timers when they are due.
inline constexpr const char * rclcpp_floor = "floor-rclcpp";
/// The one among them that schedules.
inline constexpr const char * takts_for_rclcpp = "takt-rclcpp";

}  // namespace takt::lab
