// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <rclcpp/rclcpp.hpp>
#include <string>
#include <vector>

#include "container_arguments.hpp"

namespace takt::rclcpp {

/// Reads parameters that a node is given from outside, each once. All throw std::invalid_argument: one
/// line that names the parameter and what it may be.
class ContainerParameters {
 public:
  explicit ContainerParameters(::rclcpp::Node & node) : node_(node) {}

  std::string text(const std::string & name, const std::string & standard);
  /// One of `choices`; its place in them, of which the first is the standard.
  std::size_t choice(const std::string & name, const std::vector<std::string> & choices);
  bool flag(const std::string & name, bool standard);
  std::int64_t number(const std::string & name, std::int64_t standard, std::int64_t least,
                      std::int64_t most);
  /// A number of seconds, whole or not, from 0 to 1,000,000, or a length with its unit: `100us`, `100 us`.
  std::chrono::nanoseconds duration(const std::string & name, std::chrono::nanoseconds standard);
  /// Numbers of CPUs, counted from 0; one alone, too. None if it is not given.
  std::vector<int> cpus(const std::string & name);

  /// Texts; one alone, too. None if it is not given.
  std::vector<std::string> texts(const std::string & name);

  /// Is known, and read by somebody else.
  void leave(const std::string & name) { known_.push_back(name); }
  /// When all have been read: throws for an unknown one that is given by name, and for a bare one that
  /// is like a known one. Of the others that are given and unknown it returns lines: one for each that
  /// is like a known one, with what may be meant, and one for all the rest.
  std::vector<std::string> refuse_unknown(const ParametersMeant & meant) const;

 private:
  ::rclcpp::ParameterValue read(const std::string & name,
                                const ::rclcpp::ParameterValue & standard);

  ::rclcpp::Node & node_;
  std::vector<std::string> known_;
};

}  // namespace takt::rclcpp
