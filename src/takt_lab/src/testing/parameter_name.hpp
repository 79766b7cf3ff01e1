// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>

namespace takt::lab::testing {

/// Returns the name with hyphens replaced: names of tests may only have letters, digits and underscores.
inline std::string name_in_tests(std::string name) {
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

/// Makes GoogleTest name the tests of a suite after their parameter, which is a string.
inline const auto by_parameter = [](const auto & test) { return name_in_tests(test.param); };

}  // namespace takt::lab::testing
