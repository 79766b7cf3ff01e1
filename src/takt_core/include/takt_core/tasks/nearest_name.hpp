// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace takt::tasks {

/// The name that is meant where `wanted` is none of `names`: the most alike of them, by how many letters
/// are to be put, left out, exchanged or swapped, if that is few. Empty: none is like it. Allocates.
std::string nearest_name(std::string_view wanted, const std::vector<std::string> & names);
/// The same of the arguments of ROS that begin with `--`.
std::string nearest_ros_argument(std::string_view wanted);

}  // namespace takt::tasks
