// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

namespace takt::rclcpp {

/// Calls rclcpp::init() without signal handlers. If no log file can be written, for lack of a home
/// directory for instance, which makes rclcpp::init() fail, logs a warning with the remedy and initialises
/// without a log file. Throws what rclcpp::init() throws.
void begin_ros(int argc, char const * const * argv);

}  // namespace takt::rclcpp
