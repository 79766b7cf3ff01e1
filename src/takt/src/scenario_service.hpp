// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <takt_msgs/srv/set_scenario.hpp>

#include "takt/node_base.hpp"

namespace takt::detail {

/// Requests the scenario and fills in the response.
using SetScenario = std::function<void(const takt_msgs::srv::SetScenario::Request & request,
                                       takt_msgs::srv::SetScenario::Response & response)>;

/// Creates the service `~/set_scenario`, which is served by `set`, and returns its handle. Throws
/// RclError.
std::shared_ptr<Callback> make_scenario_service(const std::shared_ptr<NodeBase> & node,
                                                SetScenario set);

}  // namespace takt::detail
