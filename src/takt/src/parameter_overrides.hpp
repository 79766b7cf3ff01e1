// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rcl/node.h>
#include <rcl_yaml_param_parser/types.h>

#include <map>
#include <string>
#include <string_view>

#include "takt/parameter_value.hpp"

namespace takt::detail {

using ParameterMap = std::map<std::string, ParameterValue>;

/// Returns whether a node name in a parameter file matches this node. In the pattern, `*` stands for one
/// part of the name, `**` for any number of parts.
bool names_node(std::string_view pattern, std::string_view fully_qualified_name);

/// Adds the values that `parameters` give for the node; a later entry replaces an earlier one.
void add_overrides(const rcl_params_t & parameters, std::string_view fully_qualified_name,
                   ParameterMap & overrides);

/// Returns the values that YAML files and parameters among the ROS arguments give for this node. Arguments
/// of the node take precedence over those of the command line. Throws RclError.
ParameterMap parameter_overrides(const rcl_node_t & node);

}  // namespace takt::detail
