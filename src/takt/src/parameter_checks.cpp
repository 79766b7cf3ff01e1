// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "parameter_checks.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <variant>

#include "parameter_remedy.hpp"

namespace takt::detail {
namespace {

/// Returns whether two numbers are equal up to a few rounding errors.
bool nearly_equal(double a, double b) {
  constexpr double roundings = 100;
  if (std::isinf(a) || std::isinf(b)) return a == b;
  return std::abs(a - b) <=
         std::numeric_limits<double>::epsilon() * roundings * std::max(std::abs(a), std::abs(b));
}

bool within(double value, const rcl_interfaces::msg::FloatingPointRange & range) {
  if (nearly_equal(value, range.from_value) || nearly_equal(value, range.to_value)) return true;
  // Written so that NaN counts as out of range.
  if (!(value > range.from_value && value < range.to_value)) return false;
  if (range.step == 0.0) return true;
  const double steps = std::round((value - range.from_value) / range.step);
  return nearly_equal(value, range.from_value + steps * range.step);
}

bool within(std::int64_t value, const rcl_interfaces::msg::IntegerRange & range) {
  if (value == range.from_value || value == range.to_value) return true;
  if (value < range.from_value || value > range.to_value) return false;
  // Unsigned, because the difference may not fit into a signed integer.
  const auto distance =
      static_cast<std::uint64_t>(value) - static_cast<std::uint64_t>(range.from_value);
  return range.step == 0 || distance % range.step == 0;
}

template <typename Range>
std::string outside(const Parameter & parameter, const Range & range) {
  std::string text = "parameter '" + parameter.get_name() + "': " + parameter.value_to_string() +
                     " is not within " + to_string(ParameterValue(range.from_value)) + " to " +
                     to_string(ParameterValue(range.to_value));
  if (range.step != 0) text += " in steps of " + to_string(ParameterValue(range.step));
  return text;
}

bool within_depth(std::string_view name, std::uint64_t depth) {
  return depth == 0 ||
         static_cast<std::uint64_t>(std::count(name.begin(), name.end(), '.')) < depth;
}

struct EmptyList {
  template <typename T>
  bool operator()(const T &) const {
    return false;
  }
  template <typename T>
  bool operator()(const std::vector<T> & values) const {
    return values.empty();
  }
};

}  // namespace

std::string type_refusal(const Parameter & parameter,
                         const rcl_interfaces::msg::ParameterDescriptor & descriptor) {
  if (descriptor.dynamic_typing || parameter.get_type() == descriptor.type) return {};
  const auto wanted = static_cast<ParameterType>(descriptor.type);
  const std::string remedy = written_as(parameter.get_parameter_value(), wanted);
  return "parameter '" + parameter.get_name() + "' is of type " + to_string(wanted) +
         ": setting it to " + parameter.value_to_string() + " (" + parameter.get_type_name() +
         ") is not allowed" + (remedy.empty() ? "" : "; write " + remedy);
}

std::string range_refusal(const Parameter & parameter,
                          const rcl_interfaces::msg::ParameterDescriptor & descriptor) {
  if (!descriptor.integer_range.empty() && parameter.get_type() == PARAMETER_INTEGER &&
      !within(parameter.as_int(), descriptor.integer_range.front())) {
    return outside(parameter, descriptor.integer_range.front());
  }
  if (!descriptor.floating_point_range.empty() && parameter.get_type() == PARAMETER_DOUBLE &&
      !within(parameter.as_double(), descriptor.floating_point_range.front())) {
    return outside(parameter, descriptor.floating_point_range.front());
  }
  return {};
}

bool is_empty_list(const ParameterValue & value) {
  return std::visit(EmptyList{}, value.variant());
}

ParameterValue of_declared_type(const ParameterValue & value,
                                const rcl_interfaces::msg::ParameterDescriptor & descriptor) {
  const bool none = value.get_type() == PARAMETER_NOT_SET;
  if (!none && (descriptor.dynamic_typing || !is_empty_list(value))) return value;
  switch (descriptor.type) {
    case PARAMETER_BYTE_ARRAY:
      return ParameterValue(std::vector<std::uint8_t>());
    case PARAMETER_BOOL_ARRAY:
      return ParameterValue(std::vector<bool>());
    case PARAMETER_INTEGER_ARRAY:
      return ParameterValue(std::vector<std::int64_t>());
    case PARAMETER_DOUBLE_ARRAY:
      return ParameterValue(std::vector<double>());
    case PARAMETER_STRING_ARRAY:
      return ParameterValue(std::vector<std::string>());
    default:
      return value;
  }
}

std::string empty_list_refusal(const rcl_interfaces::msg::ParameterDescriptor & descriptor) {
  return "parameter '" + descriptor.name + "' is " +
         (descriptor.dynamic_typing ? "declared with a value of type " : "of type ") +
         to_string(static_cast<ParameterType>(descriptor.type)) +
         ": setting it to an empty list is not allowed";
}

bool is_listed(const std::string & name, const std::vector<std::string> & prefixes,
               std::uint64_t depth) {
  if (prefixes.empty()) return within_depth(name, depth);
  return std::any_of(prefixes.begin(), prefixes.end(), [&](const std::string & prefix) {
    if (name == prefix) return true;
    if (name.size() <= prefix.size() || !name.starts_with(prefix) || name[prefix.size()] != '.') {
      return false;
    }
    return within_depth(std::string_view(name).substr(prefix.size() + 1), depth);
  });
}

}  // namespace takt::detail
