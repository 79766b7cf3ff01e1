// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <rclcpp/context.hpp>

#include "takt_view/live_view.hpp"

namespace takt::rclcpp {

/// Creates an rclcpp node that publishes a view and serves its services, with an rclcpp executor. Throws
/// rclcpp's exceptions.
std::unique_ptr<view::Server> make_view_server(const ::rclcpp::Context::SharedPtr & context,
                                               view::View & view);

}  // namespace takt::rclcpp
