// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <vector>

namespace takt::rclcpp {

/// Initialises rclcpp. Only ROS arguments are allowed. Throws an exception derived from std::exception whose
/// text is one line that names the unknown argument and a similar known one.
void init_container(int argc, char const * const * argv);

/// The names of the parameters that are given to a node, by how certainly they are meant for it.
struct ParametersMeant {
  /// Given with the node's name, on the command line or in a file.
  std::set<std::string> by_name;
  /// Given on the command line for any node: by the user, or by a launch file that gives them to all of
  /// its nodes (`set_parameter`).
  std::set<std::string> bare;
};
/// Returns the parameters given to the node of this full name. Those that a file gives to all nodes are in
/// neither set.
ParametersMeant parameters_meant(const std::vector<std::string> & arguments,
                                 const std::string & node);
/// Returns the parameters that are given as a list without elements, which rclcpp cannot read, to the node
/// with the default name `name` (it may be remapped).
std::set<std::string> empty_lists(const std::string & name);

/// Returns the second part of the error message for an unknown name: a similar known name, or all of them.
std::string instead_of(const std::string & unknown, const std::vector<std::string> & known);

}  // namespace takt::rclcpp
