// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "node_services.hpp"

#include <iterator>
#include <string>
#include <utility>

#include "logger_services.hpp"
#include "parameter_services.hpp"
#include "type_description_service.hpp"

namespace takt::detail {
namespace {

bool wants_type_descriptions(Parameters & parameters) {
  constexpr const char * name = "start_type_description_service";
  if (parameters.has_parameter(name)) return parameters.get_parameter(name).as_bool();
  ParameterDescriptor descriptor;
  descriptor.description = "Whether the node serves the descriptions of the types it uses.";
  descriptor.read_only = true;
  return parameters.declare_parameter(name, true, descriptor);
}

}  // namespace

NodeServices::NodeServices(const std::shared_ptr<NodeBase> & node, const NodeOptions & options,
                           Parameters & parameters, const std::shared_ptr<Clock> & clock)
    : time_source_(node, parameters, clock) {
  const auto keep = [this](std::vector<std::shared_ptr<Callback>> handles) {
    std::move(handles.begin(), handles.end(), std::back_inserter(handles_));
  };
  if (options.start_parameter_services) keep(make_parameter_services(node, parameters));
  if (wants_type_descriptions(parameters)) keep({make_type_description_service(node)});
  if (options.enable_logger_service) keep(make_logger_services(node));
}

}  // namespace takt::detail
