// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "takt/parameter_value.hpp"

namespace takt::detail {

/// Returns how the value would be written in YAML as a value of the type `wanted`, for example `2.0` for
/// the integer 2 if a double is wanted; empty if there is no obvious conversion. Allocates.
std::string written_as(const ParameterValue & value, ParameterType wanted);

}  // namespace takt::detail
