// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "takt/parameter_value.hpp"

namespace takt::detail {

/// How what is meant by the value is written in YAML as one of that type: `2.0` for an integer where a
/// double is wanted. Empty if nobody knows. Allocates.
std::string written_as(const ParameterValue & value, ParameterType wanted);

}  // namespace takt::detail
