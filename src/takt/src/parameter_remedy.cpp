// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "parameter_remedy.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>

namespace takt::detail {
namespace {

/// Returns the number that the text consists of, or nothing if it contains anything else.
template <typename Number>
std::optional<Number> number_in(std::string_view written) {
  Number number{};
  const auto [end, error] =
      std::from_chars(written.data(), written.data() + written.size(), number);
  if (error != std::errc() || end != written.data() + written.size()) return std::nullopt;
  return number;
}

std::string quoted(const std::string & words) {
  std::string result = "'";
  for (const char c : words) result.append(c == '\'' ? 2 : 1, c);
  return result + "'";
}

// The functions below return a scalar value written as another type; empty if there is no obvious
// conversion.

std::string as_double(std::int64_t value) {
  return to_string(ParameterValue(static_cast<double>(value)));
}
std::string as_double(std::string value) {
  std::replace(value.begin(), value.end(), ',', '.');  // the decimal comma of other languages
  const auto number = number_in<double>(value);
  return number ? to_string(ParameterValue(*number)) : "";
}
std::string as_integer(double value) {
  constexpr double most = 9e15;  // beyond about 2^53, a double does not represent all integers
  const bool whole = std::abs(value) <= most && std::trunc(value) == value;
  return whole ? to_string(ParameterValue(static_cast<std::int64_t>(value))) : "";
}
std::string as_integer(const std::string & value) {
  const auto number = number_in<std::int64_t>(value);
  return number ? to_string(ParameterValue(*number)) : "";
}
std::string as_bool(std::int64_t value) {
  if (value != 0 && value != 1) return "";
  return value == 1 ? "true" : "false";
}

struct Scalar {
  ParameterType wanted;

  std::string operator()(bool value) const {
    return wanted == PARAMETER_STRING ? quoted(to_string(ParameterValue(value))) : "";
  }
  std::string operator()(std::int64_t value) const {
    if (wanted == PARAMETER_DOUBLE) return as_double(value);
    if (wanted == PARAMETER_BOOL) return as_bool(value);
    return wanted == PARAMETER_STRING ? quoted(to_string(ParameterValue(value))) : "";
  }
  std::string operator()(double value) const {
    if (wanted == PARAMETER_INTEGER) return as_integer(value);
    return wanted == PARAMETER_STRING ? quoted(to_string(ParameterValue(value))) : "";
  }
  std::string operator()(const std::string & value) const {
    if (wanted == PARAMETER_DOUBLE) return as_double(value);
    return wanted == PARAMETER_INTEGER ? as_integer(value) : "";
  }
};

ParameterType element_of(ParameterType array) noexcept {
  switch (array) {
    case PARAMETER_BOOL_ARRAY:
      return PARAMETER_BOOL;
    case PARAMETER_BYTE_ARRAY:
    case PARAMETER_INTEGER_ARRAY:
      return PARAMETER_INTEGER;
    case PARAMETER_DOUBLE_ARRAY:
      return PARAMETER_DOUBLE;
    case PARAMETER_STRING_ARRAY:
      return PARAMETER_STRING;
    default:
      return PARAMETER_NOT_SET;
  }
}

struct Written {
  ParameterType wanted;

  std::string operator()(std::monostate) const { return ""; }
  template <typename T>
  std::string operator()(const T & value) const {
    const ParameterType element = element_of(wanted);
    if (element == PARAMETER_NOT_SET) return Scalar{wanted}(value);
    // A scalar where a list is wanted: written as a list of one element.
    const ParameterValue same(value);
    const std::string text = same.get_type() == element ? to_string(same) : Scalar{element}(value);
    return text.empty() ? "" : "[" + text + "]";
  }
  std::string operator()(const std::vector<std::uint8_t> & bytes) const {
    return (*this)(std::vector<std::int64_t>(bytes.begin(), bytes.end()));
  }
  template <typename T>
  std::string operator()(const std::vector<T> & values) const {
    const ParameterType element = element_of(wanted);
    std::string text;
    for (const T & value : values) {
      const std::string one = Scalar{element}(value);
      if (one.empty()) return "";
      text += (text.empty() ? "[" : ", ") + one;
    }
    return text.empty() ? "" : text + "]";
  }
};

}  // namespace

std::string written_as(const ParameterValue & value, ParameterType wanted) {
  return std::visit(Written{wanted}, value.variant());
}

}  // namespace takt::detail
