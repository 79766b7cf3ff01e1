// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rcl_interfaces/msg/list_parameters_result.hpp>
#include <rcl_interfaces/msg/parameter_descriptor.hpp>
#include <string>
#include <vector>

#include "takt/parameter.hpp"

namespace takt::detail {

/// Return why a parameter with this descriptor cannot have the value, because of its type or its range;
/// empty if it can.
std::string type_refusal(const Parameter & parameter,
                         const rcl_interfaces::msg::ParameterDescriptor & descriptor);
std::string range_refusal(const Parameter & parameter,
                          const rcl_interfaces::msg::ParameterDescriptor & descriptor);

/// Returns whether the value is an array without elements.
bool is_empty_list(const ParameterValue & value);
/// Returns the value; but if the descriptor's type is an array, an empty list of any type is converted to
/// that type. So is an unset value, because rcl reads `[]` as such.
ParameterValue of_declared_type(const ParameterValue & value,
                                const rcl_interfaces::msg::ParameterDescriptor & descriptor);
/// Returns the error message for `[]` as the value of a parameter with this descriptor.
std::string empty_list_refusal(const rcl_interfaces::msg::ParameterDescriptor & descriptor);

/// Returns whether list_parameters() with these arguments includes the name. Levels are separated by
/// dots; depth 0 is unlimited.
bool is_listed(const std::string & name, const std::vector<std::string> & prefixes,
               std::uint64_t depth);

}  // namespace takt::detail
