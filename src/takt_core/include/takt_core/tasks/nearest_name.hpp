// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace takt::tasks {

/// The name most similar to `wanted`, for "did you mean" texts: the one at the least distance, if
/// that is small, in letters inserted, deleted, replaced or swapped with their neighbour
/// (Damerau-Levenshtein, optimal string alignment). A name of which `wanted` is a prefix of at
/// least 4 letters has distance 1. Empty if none is similar. Allocates.
std::string nearest_name(std::string_view wanted, const std::vector<std::string> & names);
/// As above, among the ROS arguments that begin with `--`.
std::string nearest_ros_argument(std::string_view wanted);

}  // namespace takt::tasks
