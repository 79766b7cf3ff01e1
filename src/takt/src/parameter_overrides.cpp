// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "parameter_overrides.hpp"

#include <rcl/arguments.h>
#include <rcl/node_options.h>
#include <rcl_yaml_param_parser/parser.h>

#include <algorithm>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "takt/exceptions.hpp"

namespace takt::detail {
namespace {

/// Splits a name into its first part and the rest; leading slashes are ignored.
std::pair<std::string_view, std::string_view> split(std::string_view name) {
  name.remove_prefix(std::min(name.find_first_not_of('/'), name.size()));
  const auto end = std::min(name.find('/'), name.size());
  return {name.substr(0, end), name.substr(end)};
}

template <typename Array>
auto to_vector(const Array & array) {
  return std::vector<std::remove_cvref_t<decltype(*array.values)>>(array.values,
                                                                   array.values + array.size);
}

ParameterValue to_value(const rcl_variant_t & variant) {
  if (variant.bool_value != nullptr) return ParameterValue(*variant.bool_value);
  if (variant.integer_value != nullptr) return ParameterValue(*variant.integer_value);
  if (variant.double_value != nullptr) return ParameterValue(*variant.double_value);
  if (variant.string_value != nullptr) return ParameterValue(std::string(variant.string_value));
  if (variant.byte_array_value != nullptr) {
    return ParameterValue(to_vector(*variant.byte_array_value));
  }
  if (variant.bool_array_value != nullptr) {
    return ParameterValue(to_vector(*variant.bool_array_value));
  }
  if (variant.integer_array_value != nullptr) {
    return ParameterValue(to_vector(*variant.integer_array_value));
  }
  if (variant.double_array_value != nullptr) {
    return ParameterValue(to_vector(*variant.double_array_value));
  }
  if (variant.string_array_value != nullptr) {
    const rcutils_string_array_t & array = *variant.string_array_value;
    return ParameterValue(std::vector<std::string>(array.data, array.data + array.size));
  }
  return {};
}

void add_arguments(const rcl_arguments_t & arguments, std::string_view fully_qualified_name,
                   ParameterMap & overrides) {
  rcl_params_t * parameters = nullptr;
  check(rcl_arguments_get_param_overrides(&arguments, &parameters),
        "cannot read the parameters among the ROS arguments");
  if (parameters == nullptr) return;
  const std::unique_ptr<rcl_params_t, void (*)(rcl_params_t *)> owner(parameters,
                                                                      rcl_yaml_node_struct_fini);
  add_overrides(*parameters, fully_qualified_name, overrides);
}

}  // namespace

bool names_node(std::string_view pattern, std::string_view fully_qualified_name) {
  const auto [wanted, more_wanted] = split(pattern);
  const auto [part, more] = split(fully_qualified_name);
  if (wanted.empty()) return part.empty();
  if (wanted == "**") {
    return names_node(more_wanted, fully_qualified_name) ||
           (!part.empty() && names_node(pattern, more));
  }
  return !part.empty() && (wanted == "*" || wanted == part) && names_node(more_wanted, more);
}

void add_overrides(const rcl_params_t & parameters, std::string_view fully_qualified_name,
                   ParameterMap & overrides) {
  for (std::size_t n = 0; n < parameters.num_nodes; ++n) {
    if (!names_node(parameters.node_names[n], fully_qualified_name)) continue;
    const rcl_node_params_t & node = parameters.params[n];
    for (std::size_t p = 0; p < node.num_params; ++p) {
      overrides[node.parameter_names[p]] = to_value(node.parameter_values[p]);
    }
  }
}

ParameterMap parameter_overrides(const rcl_node_t & node) {
  ParameterMap overrides;
  const rcl_node_options_t & options = *rcl_node_get_options(&node);
  const std::string_view name = rcl_node_get_fully_qualified_name(&node);
  if (options.use_global_arguments) {
    add_arguments(node.context->global_arguments, name, overrides);
  }
  add_arguments(options.arguments, name, overrides);
  return overrides;
}

}  // namespace takt::detail
