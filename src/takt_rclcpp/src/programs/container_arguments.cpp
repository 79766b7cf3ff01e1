// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "container_arguments.hpp"

#include <rcl/arguments.h>
#include <rcl/remap.h>
#include <rcl_yaml_param_parser/parser.h>
#include <rcutils/allocator.h>

#include <memory>
#include <rclcpp/rclcpp.hpp>
#include <regex>
#include <stdexcept>
#include <string_view>

#include "begin.hpp"
#include "takt_core/tasks/nearest_name.hpp"

namespace takt::rclcpp {
namespace {

std::unique_ptr<rcl_params_t, void (*)(rcl_params_t *)> given_parameters() {
  rcl_params_t * parameters = nullptr;
  const auto context = ::rclcpp::contexts::get_global_default_context()->get_rcl_context();
  if (rcl_arguments_get_param_overrides(&context->global_arguments, &parameters) != RCL_RET_OK) {
    rcl_reset_error();
    parameters = nullptr;
  }
  return {parameters, rcl_yaml_node_struct_fini};
}

bool is_empty(const rcl_variant_t & value) {
  return value.bool_value == nullptr && value.integer_value == nullptr &&
         value.double_value == nullptr && value.string_value == nullptr &&
         value.byte_array_value == nullptr && value.bool_array_value == nullptr &&
         value.integer_array_value == nullptr && value.double_array_value == nullptr &&
         value.string_array_value == nullptr;
}

/// Calls `look(node, parameter, value)` for each parameter among the ROS arguments.
template <typename FunctionT>
void for_each_parameter(const FunctionT & look) {
  const auto parameters = given_parameters();
  if (parameters == nullptr) return;
  for (std::size_t n = 0; n < parameters->num_nodes; ++n) {
    const rcl_node_params_t & node = parameters->params[n];
    for (std::size_t p = 0; p < node.num_params; ++p) {
      look(std::string_view(parameters->node_names[n]), std::string(node.parameter_names[p]),
           node.parameter_values[p]);
    }
  }
}

using Remap = rcl_ret_t (*)(const rcl_arguments_t *, const rcl_arguments_t *, const char *,
                            rcl_allocator_t, char **);
/// Returns the name to which the ROS arguments remap `name`; `standard` if they do not.
std::string remapped(Remap remap, const std::string & name, const std::string & standard) {
  const auto context = ::rclcpp::contexts::get_global_default_context()->get_rcl_context();
  const rcl_allocator_t allocator = rcutils_get_default_allocator();
  char * found = nullptr;
  if (remap(nullptr, &context->global_arguments, name.c_str(), allocator, &found) != RCL_RET_OK) {
    rcl_reset_error();
    return standard;
  }
  if (found == nullptr) return standard;
  std::string text = found;
  allocator.deallocate(found, allocator.state);
  return text;
}

std::string full_name(const std::string & name) {
  const std::string space = remapped(rcl_remap_node_namespace, name, "/");
  return (space == "/" ? space : space + "/") + remapped(rcl_remap_node_name, name, name);
}

/// Returns whether a node name in a parameter file, which may contain wildcards as in `/**`, matches this
/// node, by rclcpp's rules.
bool stands_for(const std::string & nodes, const std::string & node) {
  std::string pattern = nodes.starts_with('/') ? nodes : "/" + nodes;
  for (auto at = pattern.find("/*"); at != std::string::npos; at = pattern.find("/*", at)) {
    pattern.replace(at, 2, "(/\\w+)");
  }
  return std::regex_match(node, std::regex(pattern));
}

}  // namespace

std::string instead_of(const std::string & unknown, const std::vector<std::string> & known) {
  const std::string nearest = tasks::nearest_name(unknown, known);
  if (!nearest.empty()) return "did you mean '" + nearest + "'?";
  std::string all;
  for (const std::string & name : known) all += (all.empty() ? "there are " : ", ") + name;
  return all;
}

void init_container(int argc, char const * const * argv) {
  try {
    begin_ros(argc, argv);
  } catch (const ::rclcpp::exceptions::UnknownROSArgsError & error) {
    const std::string first = error.unknown_ros_args.empty() ? "" : error.unknown_ros_args.front();
    const std::string nearest = tasks::nearest_ros_argument(first);
    throw std::invalid_argument("unknown ROS argument '" + first +
                                (nearest.empty() ? "'" : "': did you mean '" + nearest + "'?"));
  }
  const std::vector<std::string> rest = ::rclcpp::remove_ros_arguments(argc, argv);
  if (rest.size() <= 1) return;
  // rclcpp's containers have arguments that select the executor; here parameters configure it.
  throw std::invalid_argument(
      "unknown argument '" + rest[1] +
      "': only ROS arguments are allowed, after --ros-args, as -p policy:=fp -p 'cpus:=[0, 1]'");
}

ParametersMeant parameters_meant(const std::vector<std::string> & arguments,
                                 const std::string & node) {
  const auto is_node = [&node](std::string_view name) {
    return name == node || "/" + std::string(name) == node;
  };
  ParametersMeant meant;
  for (std::size_t i = 0; i + 1 < arguments.size(); ++i) {
    if (arguments[i] != "-p" && arguments[i] != "--param") continue;
    const std::string target = arguments[i + 1].substr(0, arguments[i + 1].find(":="));
    const std::size_t colon = target.find(':');  // the name of a node may precede it
    if (colon == std::string::npos) {
      meant.bare.insert(target);
    } else if (is_node(target.substr(0, colon))) {
      meant.by_name.insert(target.substr(colon + 1));
    }
  }
  for_each_parameter([&](std::string_view of, const std::string & name, const auto &) {
    if (is_node(of)) meant.by_name.insert(name);
  });
  return meant;
}

std::set<std::string> empty_lists(const std::string & name) {
  const std::string node = full_name(name);
  std::set<std::string> names;
  for_each_parameter([&](std::string_view of, const std::string & parameter, const auto & value) {
    if (is_empty(value) && stands_for(std::string(of), node)) names.insert(parameter);
  });
  return names;
}

}  // namespace takt::rclcpp
