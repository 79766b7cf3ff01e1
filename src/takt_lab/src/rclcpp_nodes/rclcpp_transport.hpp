// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "transports/transport.hpp"

namespace takt::lab {

/// Creates a transport over ROS 2, with the middleware that the environment selects, and rclcpp nodes under
/// one of rclcpp_executors(). Parties of one process communicate inside the process, unless
/// `through_middleware` is set. Initialises rclcpp's default context, which must not be in use, and shuts it
/// down.
std::unique_ptr<Transport> make_rclcpp_transport(const std::string & executor,
                                                 const TransportOptions & options);
/// Returns why this build has no rclcpp transport; nullptr if it has one.
const char * lacks_rclcpp() noexcept;

}  // namespace takt::lab
