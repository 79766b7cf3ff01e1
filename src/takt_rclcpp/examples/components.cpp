// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// The nodes of nodes.hpp as components, to be loaded into containers.
#include <rclcpp_components/register_node_macro.hpp>

#include "nodes.hpp"

namespace takt_examples {

/// A controller that logs a summary of its cycles when it is destroyed.
class ControlLoop : public Controller {
 public:
  using Controller::Controller;
  ~ControlLoop() override { RCLCPP_INFO(get_logger(), "%s", summary().c_str()); }
};

}  // namespace takt_examples

RCLCPP_COMPONENTS_REGISTER_NODE(takt_examples::Talker)
RCLCPP_COMPONENTS_REGISTER_NODE(takt_examples::Listener)
RCLCPP_COMPONENTS_REGISTER_NODE(takt_examples::Plant)
RCLCPP_COMPONENTS_REGISTER_NODE(takt_examples::ControlLoop)
