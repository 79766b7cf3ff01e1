// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

namespace takt::rclcpp {

/// As rclcpp::init() without its signal handlers, which ends a program where its log file cannot be had, for lack of a home for
/// instance: then it begins without one, after a warning that says what to do. Throws what
/// rclcpp::init() does.
void begin_ros(int argc, char const * const * argv);

}  // namespace takt::rclcpp
