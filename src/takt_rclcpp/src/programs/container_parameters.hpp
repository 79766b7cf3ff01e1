// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <rclcpp/rclcpp.hpp>
#include <string>
#include <vector>

#include "container_arguments.hpp"

namespace takt::rclcpp {

/// Reads the parameters that a node is given from outside, each once. All functions throw
/// std::invalid_argument, whose text is one line with the parameter's name and its permitted values.
/// `standard` is the default value.
class ContainerParameters {
 public:
  explicit ContainerParameters(::rclcpp::Node & node) : node_(node) {}

  std::string text(const std::string & name, const std::string & standard);
  /// Reads one of `choices` and returns its index; the default is the first.
  std::size_t choice(const std::string & name, const std::vector<std::string> & choices);
  bool flag(const std::string & name, bool standard);
  std::int64_t number(const std::string & name, std::int64_t standard, std::int64_t least,
                      std::int64_t most);
  /// Reads a number of seconds, from 0 to 1,000,000, or a duration with its unit: `100us`, `100 us`.
  std::chrono::nanoseconds duration(const std::string & name, std::chrono::nanoseconds standard);
  /// Reads a list of CPU numbers, counted from 0, or a single one. Empty if it is not given.
  std::vector<int> cpus(const std::string & name);

  /// Reads a list of strings, or a single one. Empty if it is not given.
  std::vector<std::string> texts(const std::string & name);

  /// Marks a parameter as known that is read elsewhere.
  void leave(const std::string & name) { known_.push_back(name); }
  /// To be called when all parameters have been read. Throws for an unknown parameter that is given by the
  /// node's name, and for one given to any node that resembles a known one. For the other unknown
  /// parameters it returns warnings: one line for each that resembles a known one, with that name, and
  /// one line for all the rest.
  std::vector<std::string> refuse_unknown(const ParametersMeant & meant) const;

 private:
  ::rclcpp::ParameterValue read(const std::string & name,
                                const ::rclcpp::ParameterValue & standard);

  ::rclcpp::Node & node_;
  std::vector<std::string> known_;
};

}  // namespace takt::rclcpp
