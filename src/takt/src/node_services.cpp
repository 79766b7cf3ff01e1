// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "node_services.hpp"

#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include "logger_services.hpp"
#include "parameter_services.hpp"
#include "scenario_service.hpp"
#include "takt/exceptions.hpp"
#include "takt_core/tasks/scheduling_strategy.hpp"
#include "takt_view/view.hpp"
#include "type_description_service.hpp"

namespace takt::detail {
namespace {

bool wants_type_descriptions(Parameters & parameters) {
  constexpr const char * name = "start_type_description_service";
  if (parameters.has_parameter(name)) return parameters.get_parameter(name).as_bool();
  ParameterDescriptor descriptor;
  descriptor.description = "Whether the node offers the service ~/get_type_description.";
  descriptor.read_only = true;
  return parameters.declare_parameter(name, true, descriptor);
}

/// Returns the path of the strategy file, the value of the node's parameter `scheduling_strategy`; empty
/// if there is none.
std::string strategy_file(Parameters & parameters) {
  constexpr const char * name = "scheduling_strategy";
  if (!parameters.has_parameter(name)) {
    if (!parameters.get_parameter_overrides().contains(name)) return "";
    ParameterDescriptor descriptor;
    descriptor.description = "The path of the YAML file of the node's scheduling strategy.";
    descriptor.read_only = true;
    parameters.declare_parameter(name, "", descriptor);
  }
  return parameters.get_parameter(name).as_string();
}

}  // namespace

NodeServices::NodeServices(const std::shared_ptr<NodeBase> & node, const NodeOptions & options,
                           Parameters & parameters)
    : node_(node),
      may_serve_scenarios_(options.enable_scenario_service.value_or(true)),
      time_source_(node, parameters) {
  const auto keep = [this](std::vector<std::shared_ptr<Callback>> handles) {
    std::move(handles.begin(), handles.end(), std::back_inserter(handles_));
  };
  if (options.start_parameter_services) keep(make_parameter_services(node, parameters));
  if (wants_type_descriptions(parameters)) keep({make_type_description_service(node)});
  if (options.enable_logger_service) keep(make_logger_services(node));
  const std::string file = strategy_file(parameters);
  if (!file.empty()) node->set_strategy(tasks::given(load_strategy(file)));
  if (!file.empty() || options.enable_scenario_service.value_or(false)) serve_scenarios();
}

void NodeServices::serve_scenarios() {
  const os::Lock lock(mutex_);
  if (!may_serve_scenarios_ || scenario_service_ != nullptr) return;
  // The plain pointer is safe: the node owns the service and outlives it.
  const auto request_scenario = [node = node_.get()](std::string_view name) {
    const auto executor = node->listener();
    if (executor == nullptr) throw Error("the node has no executor any more");
    return executor->request_scenario(name);
  };
  scenario_service_ =
      make_scenario_service(node_, [request_scenario](const auto & request, auto & response) {
        view::set_scenario(request_scenario, request, response);
      });
}

}  // namespace takt::detail
