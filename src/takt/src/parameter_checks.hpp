// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rcl_interfaces/msg/list_parameters_result.hpp>
#include <rcl_interfaces/msg/parameter_descriptor.hpp>
#include <string>
#include <vector>

#include "takt/parameter.hpp"

namespace takt::detail {

/// Why a parameter of this descriptor cannot hold the value: its type, its range. Empty if it can.
std::string type_refusal(const Parameter & parameter,
                         const rcl_interfaces::msg::ParameterDescriptor & descriptor);
std::string range_refusal(const Parameter & parameter,
                          const rcl_interfaces::msg::ParameterDescriptor & descriptor);

/// An array without elements.
bool is_empty_list(const ParameterValue & value);
/// The value, but where the type of the descriptor is an array's an empty list is one of that type; so
/// is none, as which rcl reads `[]`.
ParameterValue of_declared_type(const ParameterValue & value,
                                const rcl_interfaces::msg::ParameterDescriptor & descriptor);
/// Why a parameter of this descriptor cannot be `[]`.
std::string empty_list_refusal(const rcl_interfaces::msg::ParameterDescriptor & descriptor);

/// Whether list_parameters with these arguments shows the name. Levels are separated by dots;
/// depth 0 is unbounded.
bool is_listed(const std::string & name, const std::vector<std::string> & prefixes,
               std::uint64_t depth);

}  // namespace takt::detail
