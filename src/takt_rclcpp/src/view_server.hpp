// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <rclcpp/context.hpp>

#include "takt_view/live_view.hpp"

namespace takt::rclcpp {

/// A node of rclcpp that carries a view, run by an executor of rclcpp's. Throws what rclcpp throws.
std::unique_ptr<view::Server> make_view_server(const ::rclcpp::Context::SharedPtr & context,
                                               view::View & view);

}  // namespace takt::rclcpp
