// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "scenario_service.hpp"

#include <takt_msgs/srv/set_scenario.hpp>
#include <utility>

#include "takt/exceptions.hpp"
#include "takt/service.hpp"

namespace takt::detail {

std::shared_ptr<Callback> make_scenario_service(const std::shared_ptr<NodeBase> & node,
                                                RequestScenario request_scenario) {
  using takt_msgs::srv::SetScenario;
  const auto set = [ask = std::move(request_scenario)](const SetScenario::Request & request,
                                                       SetScenario::Response & response) {
    response.effect_ns = -1;
    try {
      response.effect_ns = ask(request.name);
      response.success = true;
    } catch (const Error & error) {
      response.message = error.what();
    }
  };
  // It shares nothing with the node's callbacks, so none of them has to wait for it.
  ServiceOptions options;
  options.group = std::make_shared<CallbackGroup>(CallbackGroupType::mutually_exclusive);
  return node->add(std::make_shared<Service<SetScenario>>(node, "~/set_scenario", set, options));
}

}  // namespace takt::detail
