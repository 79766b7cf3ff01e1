// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <vector>

namespace takt::rclcpp {

/// Initialises rclcpp, and takes no argument but those of ROS. Throws std::exception: one line that names
/// what is unknown, and what may be meant.
void init_container(int argc, char const * const * argv);

/// The parameters that are meant for this node and no other: those on the command line, and those that a
/// file gives to it by its whole name.
std::set<std::string> parameters_meant(const std::vector<std::string> & arguments,
                                       const std::string & node);
/// Those that are given as a list without elements, which rclcpp cannot read.
std::set<std::string> empty_lists();

/// What follows where a name is none of those that there are.
std::string instead_of(const std::string & unknown, const std::vector<std::string> & known);

}  // namespace takt::rclcpp
