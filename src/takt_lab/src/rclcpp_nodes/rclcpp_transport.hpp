// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "transports/transport.hpp"

namespace takt::lab {

/// ROS 2 through the middleware that the environment selects: nodes of rclcpp under one of
/// rclcpp_executors(). Parties of one process exchange inside it unless told otherwise. Initialises
/// rclcpp's default context, which must not be in use, and shuts it down.
std::unique_ptr<Transport> make_rclcpp_transport(const std::string & executor,
                                                 const TransportOptions & options);
/// Why this build has none, nullptr if it has.
const char * lacks_rclcpp() noexcept;

}  // namespace takt::lab
