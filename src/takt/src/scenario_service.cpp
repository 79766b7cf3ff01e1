// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "scenario_service.hpp"

#include <utility>

#include "takt/service.hpp"

namespace takt::detail {

std::shared_ptr<Callback> make_scenario_service(const std::shared_ptr<NodeBase> & node,
                                                SetScenario set) {
  // In a group of its own: it shares no data with the node's callbacks, which need not wait for it.
  ServiceOptions options;
  options.group = std::make_shared<CallbackGroup>(CallbackGroupType::mutually_exclusive);
  return node->add(std::make_shared<Service<takt_msgs::srv::SetScenario>>(node, "~/set_scenario",
                                                                          std::move(set), options));
}

}  // namespace takt::detail
