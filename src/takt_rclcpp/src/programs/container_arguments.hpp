// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <vector>

namespace takt::rclcpp {

/// Initialises rclcpp, and takes no argument but those of ROS. Throws std::exception: one line that names
/// what is unknown, and what may be meant.
void init_container(int argc, char const * const * argv);

/// Names of parameters that a node is given, by how surely they are meant for it.
struct ParametersMeant {
  std::set<std::string> by_name;  ///< its name stands before them, on the command line or in a file
  /// On the command line, for any node: by who starts it, or by a launch file that gives them to all
  /// of its nodes (`set_parameter`).
  std::set<std::string> bare;
};
/// Those of the node of this full name. What a file says of all nodes is in neither.
ParametersMeant parameters_meant(const std::vector<std::string> & arguments,
                                 const std::string & node);
/// Those that the node which is called `name`, unless it is given another one, is given as a list
/// without elements, which rclcpp cannot read.
std::set<std::string> empty_lists(const std::string & name);

/// What follows where a name is none of those that there are.
std::string instead_of(const std::string & unknown, const std::vector<std::string> & known);

}  // namespace takt::rclcpp
