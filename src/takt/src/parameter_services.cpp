// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "parameter_services.hpp"

#include <rcl_interfaces/srv/describe_parameters.hpp>
#include <rcl_interfaces/srv/get_parameter_types.hpp>
#include <rcl_interfaces/srv/get_parameters.hpp>
#include <rcl_interfaces/srv/list_parameters.hpp>
#include <rcl_interfaces/srv/set_parameters.hpp>
#include <rcl_interfaces/srv/set_parameters_atomically.hpp>

#include "takt/logging.hpp"
#include "takt/service.hpp"

namespace takt::detail {
namespace {

using rcl_interfaces::srv::DescribeParameters;
using rcl_interfaces::srv::GetParameters;
using rcl_interfaces::srv::GetParameterTypes;
using rcl_interfaces::srv::ListParameters;
using rcl_interfaces::srv::SetParameters;
using rcl_interfaces::srv::SetParametersAtomically;

/// Calls `answer`. If it throws because of an invalid request, logs that and leaves the response empty, as
/// rclcpp does.
template <typename Answer>
void answer_or_warn(const Logger & logger, Answer && answer) {
  try {
    answer();
  } catch (const ParameterError & error) {
    TAKT_WARN(logger, "the request of a parameter client failed: %s", error.what());
  }
}

template <typename Messages>
SetParametersResult set(Parameters & parameters, const Messages & messages) {
  try {
    std::vector<Parameter> list;
    for (const auto & message : messages) list.push_back(Parameter::from_parameter_msg(message));
    return parameters.set_parameters_atomically(list);
  } catch (const ParameterError & error) {
    SetParametersResult refused;
    refused.successful = false;
    refused.reason = error.what();
    return refused;
  }
}

}  // namespace

std::vector<std::shared_ptr<Callback>> make_parameter_services(
    const std::shared_ptr<NodeBase> & node, Parameters & parameters) {
  const ServiceOptions options{.qos = parameters_qos()};
  const Logger logger(rcl_node_get_logger_name(node->rcl_node()));
  std::vector<std::shared_ptr<Callback>> handles;
  const auto serve = [&]<typename S>(const char * name, auto callback) {
    handles.push_back(node->add(std::make_shared<Service<S>>(node, std::string("~/") + name,
                                                             std::move(callback), options)));
  };
  serve.operator()<GetParameters>(
      "get_parameters", [&parameters, logger](const auto & request, auto & response) {
        answer_or_warn(logger, [&] {
          for (const auto & parameter : parameters.get_parameters(request.names)) {
            response.values.push_back(parameter.get_parameter_value().to_message());
          }
        });
      });
  serve.operator()<GetParameterTypes>(
      "get_parameter_types", [&parameters, logger](const auto & request, auto & response) {
        answer_or_warn(logger,
                       [&] { response.types = parameters.get_parameter_types(request.names); });
      });
  serve.operator()<SetParameters>(
      "set_parameters", [&parameters](const auto & request, auto & response) {
        for (const auto & message : request.parameters) {
          response.results.push_back(set(parameters, std::vector{message}));
        }
      });
  serve.operator()<SetParametersAtomically>("set_parameters_atomically",
                                            [&parameters](const auto & request, auto & response) {
                                              response.result = set(parameters, request.parameters);
                                            });
  serve.operator()<DescribeParameters>(
      "describe_parameters", [&parameters, logger](const auto & request, auto & response) {
        answer_or_warn(
            logger, [&] { response.descriptors = parameters.describe_parameters(request.names); });
      });
  serve.operator()<ListParameters>(
      "list_parameters", [&parameters](const auto & request, auto & response) {
        response.result = parameters.list_parameters(request.prefixes, request.depth);
      });
  return handles;
}

}  // namespace takt::detail
