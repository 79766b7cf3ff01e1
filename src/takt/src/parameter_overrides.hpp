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

/// Whether a node's name in a parameter file, with its wildcards, means this node: `*` stands for
/// one part of the name, `**` for any number of them.
bool names_node(std::string_view pattern, std::string_view fully_qualified_name);

/// Adds what `parameters` say about the node; the later entry wins.
void add_overrides(const rcl_params_t & parameters, std::string_view fully_qualified_name,
                   ParameterMap & overrides);

/// What the YAML files and parameters among the ROS arguments, of the command line and then of the
/// node alone, say about this node. Throws RclError.
ParameterMap parameter_overrides(const rcl_node_t & node);

}  // namespace takt::detail
