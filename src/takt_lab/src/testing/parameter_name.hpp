// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>

namespace takt::lab::testing {

/// What a test may be called: letters, digits and underscores only.
inline std::string name_in_tests(std::string name) {
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

/// Names the tests of a suite by their parameter, which is a name.
inline const auto by_parameter = [](const auto & test) { return name_in_tests(test.param); };

}  // namespace takt::lab::testing
