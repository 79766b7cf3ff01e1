// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rcl_interfaces/msg/parameter.hpp>
#include <string>
#include <utility>

#include "takt/parameter_value.hpp"

namespace takt {

/// A parameter: a name and a value. A value type; copying and most getters allocate.
class Parameter {
 public:
  Parameter() = default;
  explicit Parameter(std::string name) : name_(std::move(name)) {}
  Parameter(std::string name, ParameterValue value)
      : name_(std::move(name)), value_(std::move(value)) {}
  template <ParameterLike T>
  Parameter(std::string name, const T & value)
      : Parameter(std::move(name), ParameterValue(value)) {}

  static Parameter from_parameter_msg(const rcl_interfaces::msg::Parameter & message) {
    return {message.name, ParameterValue(message.value)};
  }
  rcl_interfaces::msg::Parameter to_parameter_msg() const;

  const std::string & get_name() const noexcept { return name_; }
  ParameterType get_type() const noexcept { return value_.get_type(); }
  std::string get_type_name() const { return to_string(get_type()); }
  const ParameterValue & get_parameter_value() const noexcept { return value_; }

  /// Returns the value as T. Throws InvalidParameterType, with the parameter's name, if the value has
  /// another type or T cannot represent it. So do the functions as_...() below.
  template <ParameterLike T>
  T get_value() const {
    try {
      return value_.get<T>();
    } catch (const InvalidParameterType & error) {
      throw InvalidParameterType("parameter '" + name_ + "': " + error.what());
    }
  }
  bool as_bool() const { return get_value<bool>(); }
  std::int64_t as_int() const { return get_value<std::int64_t>(); }
  double as_double() const { return get_value<double>(); }
  std::string as_string() const { return get_value<std::string>(); }
  std::vector<std::uint8_t> as_byte_array() const { return get_value<std::vector<std::uint8_t>>(); }
  std::vector<bool> as_bool_array() const { return get_value<std::vector<bool>>(); }
  std::vector<std::int64_t> as_integer_array() const {
    return get_value<std::vector<std::int64_t>>();
  }
  std::vector<double> as_double_array() const { return get_value<std::vector<double>>(); }
  std::vector<std::string> as_string_array() const { return get_value<std::vector<std::string>>(); }
  std::string value_to_string() const { return to_string(value_); }

  friend bool operator==(const Parameter &, const Parameter &) = default;

 private:
  std::string name_;
  ParameterValue value_;
};

}  // namespace takt
