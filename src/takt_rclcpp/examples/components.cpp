// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// The same nodes as components, for containers.
#include <rclcpp_components/register_node_macro.hpp>

#include "nodes.hpp"

namespace takt_examples {

/// A controller that tells at its end how it went.
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
