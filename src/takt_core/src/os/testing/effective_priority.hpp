// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

namespace takt::os::testing {

/// The real-time priority at which the calling thread runs, including an inherited one; 0: none.
inline int effective_priority() {
  std::ifstream file("/proc/thread-self/stat");
  const std::string all{std::istreambuf_iterator<char>(file), {}};
  std::istringstream fields(all.substr(all.rfind(')') + 1));
  constexpr int before = 15;  // the fields between the name and this one
  std::string field;
  for (int i = 0; i <= before; ++i) fields >> field;
  return std::max(0, -1 - std::stoi(field));
}

}  // namespace takt::os::testing
