// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "container_parameters.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <rcl_interfaces/msg/parameter_descriptor.hpp>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "takt_core/tasks/nearest_name.hpp"

namespace takt::rclcpp {
namespace {

[[noreturn]] void refuse(const std::string & name, const std::string & rule) {
  throw std::invalid_argument(name + ": " + rule);
}

constexpr double most_seconds = 1e6;

/// Returns the number of seconds as a duration; nothing if it is negative, not a number or too large.
std::optional<std::chrono::nanoseconds> length_of(double seconds) {
  if (!(seconds >= 0 && seconds <= most_seconds)) return std::nullopt;
  return std::chrono::nanoseconds(std::llround(seconds * 1e9));
}
std::optional<std::chrono::nanoseconds> length_of(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, double>, 5> units{
      {{"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1}, {"min", 60}}};
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
  unit.remove_prefix(std::min(unit.find_first_not_of(' '), unit.size()));
  for (const auto & [name, seconds] : units) {
    if (unit == name) return length_of(number * seconds);
  }
  return std::nullopt;
}

/// Returns whether this is a parameter that rclcpp defines for every node.
bool is_of_any_node(const std::string & name) {
  return name == "use_sim_time" || name == "start_type_description_service" ||
         name.starts_with("qos_overrides.");
}

}  // namespace

::rclcpp::ParameterValue ContainerParameters::read(const std::string & name,
                                                   const ::rclcpp::ParameterValue & standard) {
  known_.push_back(name);
  rcl_interfaces::msg::ParameterDescriptor any;  // a wrong type is reported by the callers
  any.dynamic_typing = true;
  return node_.declare_parameter(name, standard, any);
}

std::string ContainerParameters::text(const std::string & name, const std::string & standard) {
  const auto given = read(name, ::rclcpp::ParameterValue(standard));
  if (given.get_type() != ::rclcpp::PARAMETER_STRING) refuse(name, "give a string");
  return given.get<std::string>();
}

std::size_t ContainerParameters::choice(const std::string & name,
                                        const std::vector<std::string> & choices) {
  const std::string given = text(name, choices.front());
  const auto found = std::find(choices.begin(), choices.end(), given);
  if (found == choices.end()) {
    refuse(name, "'" + given + "' is unknown: " + instead_of(given, choices));
  }
  return static_cast<std::size_t>(found - choices.begin());
}

bool ContainerParameters::flag(const std::string & name, bool standard) {
  const auto given = read(name, ::rclcpp::ParameterValue(standard));
  if (given.get_type() != ::rclcpp::PARAMETER_BOOL) refuse(name, "give true or false");
  return given.get<bool>();
}

std::int64_t ContainerParameters::number(const std::string & name, std::int64_t standard,
                                         std::int64_t least, std::int64_t most) {
  const auto given = read(name, ::rclcpp::ParameterValue(standard));
  const bool whole = given.get_type() == ::rclcpp::PARAMETER_INTEGER;
  const std::int64_t number = whole ? given.get<std::int64_t>() : 0;
  if (!whole || number < least || number > most) {
    refuse(name,
           "give a whole number, from " + std::to_string(least) + " to " + std::to_string(most));
  }
  return number;
}

std::chrono::nanoseconds ContainerParameters::duration(const std::string & name,
                                                       std::chrono::nanoseconds standard) {
  const double seconds = std::chrono::duration<double>(standard).count();
  const auto given = read(name, ::rclcpp::ParameterValue(seconds));
  std::optional<std::chrono::nanoseconds> length;
  switch (given.get_type()) {
    case ::rclcpp::PARAMETER_DOUBLE:
      length = length_of(given.get<double>());
      break;
    case ::rclcpp::PARAMETER_INTEGER:
      length = length_of(static_cast<double>(given.get<std::int64_t>()));
      break;
    case ::rclcpp::PARAMETER_STRING:
      length = length_of(std::string_view(given.get<std::string>()));
      break;
    default:
      break;
  }
  if (!length) {
    refuse(name, "give seconds, from 0 to 1000000, or a duration with its unit, as 100us or 5ms");
  }
  return *length;
}

std::vector<int> ContainerParameters::cpus(const std::string & name) {
  const auto given = read(name, ::rclcpp::ParameterValue(std::vector<std::int64_t>()));
  std::vector<std::int64_t> numbers;
  if (given.get_type() == ::rclcpp::PARAMETER_INTEGER) {
    numbers = {given.get<std::int64_t>()};
  } else if (given.get_type() == ::rclcpp::PARAMETER_INTEGER_ARRAY) {
    numbers = given.get<std::vector<std::int64_t>>();
  } else {
    refuse(name, "give numbers of CPUs, as -p '" + name + ":=[0, 1]'");
  }
  constexpr std::int64_t most = 65535;
  std::vector<int> cpus;
  for (const std::int64_t number : numbers) {
    if (number < 0 || number > most) {
      refuse(name, std::to_string(number) + " is not a CPU number: CPUs are counted from 0");
    }
    cpus.push_back(static_cast<int>(number));
  }
  return cpus;
}

std::vector<std::string> ContainerParameters::texts(const std::string & name) {
  const auto given = read(name, ::rclcpp::ParameterValue(std::vector<std::string>()));
  if (given.get_type() == ::rclcpp::PARAMETER_STRING) return {given.get<std::string>()};
  if (given.get_type() != ::rclcpp::PARAMETER_STRING_ARRAY) refuse(name, "give strings");
  return given.get<std::vector<std::string>>();
}

std::vector<std::string> ContainerParameters::refuse_unknown(const ParametersMeant & meant) const {
  std::vector<std::string> lines;
  std::string others;
  for (const auto & [name, value] :
       node_.get_node_parameters_interface()->get_parameter_overrides()) {
    const bool known = std::find(known_.begin(), known_.end(), name) != known_.end();
    if (known || is_of_any_node(name)) continue;
    const bool near = !tasks::nearest_name(name, known_).empty();
    if (meant.by_name.contains(name) || (near && meant.bare.contains(name))) {
      throw std::invalid_argument("unknown parameter '" + name + "': " + instead_of(name, known_));
    }
    // It may be meant for another node, because it was given to all nodes.
    if (near) {
      lines.push_back("parameter '" + name +
                      "', given to all nodes, is not the container's: " + instead_of(name, known_));
    } else {
      others += (others.empty() ? "" : ", ") + name;
    }
  }
  if (!others.empty()) {
    lines.push_back("given to all nodes and ignored, as the container has no such parameters: " +
                    others + " (parameters of components are given when they are loaded)");
  }
  return lines;
}

}  // namespace takt::rclcpp
