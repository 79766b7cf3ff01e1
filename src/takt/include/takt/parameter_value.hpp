// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstdint>
#include <rcl_interfaces/msg/parameter_type.hpp>
#include <rcl_interfaces/msg/parameter_value.hpp>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "takt/parameter_errors.hpp"

namespace takt {

/// The type of a parameter's value; names and numbers are those of rcl_interfaces.
enum ParameterType : std::uint8_t {
  PARAMETER_NOT_SET = rcl_interfaces::msg::ParameterType::PARAMETER_NOT_SET,
  PARAMETER_BOOL = rcl_interfaces::msg::ParameterType::PARAMETER_BOOL,
  PARAMETER_INTEGER = rcl_interfaces::msg::ParameterType::PARAMETER_INTEGER,
  PARAMETER_DOUBLE = rcl_interfaces::msg::ParameterType::PARAMETER_DOUBLE,
  PARAMETER_STRING = rcl_interfaces::msg::ParameterType::PARAMETER_STRING,
  PARAMETER_BYTE_ARRAY = rcl_interfaces::msg::ParameterType::PARAMETER_BYTE_ARRAY,
  PARAMETER_BOOL_ARRAY = rcl_interfaces::msg::ParameterType::PARAMETER_BOOL_ARRAY,
  PARAMETER_INTEGER_ARRAY = rcl_interfaces::msg::ParameterType::PARAMETER_INTEGER_ARRAY,
  PARAMETER_DOUBLE_ARRAY = rcl_interfaces::msg::ParameterType::PARAMETER_DOUBLE_ARRAY,
  PARAMETER_STRING_ARRAY = rcl_interfaces::msg::ParameterType::PARAMETER_STRING_ARRAY,
};

/// Returns the name of the type as error messages and tools show it: "integer", "double array", "not set".
const char * to_string(ParameterType type) noexcept;

namespace detail {

// Maps a C++ type to the type in which a parameter stores it. Every type with a mapping can be declared,
// read and set: bool, integers, floating-point numbers, strings, and vectors of these.
template <typename T>
struct StoredAs {};
template <>
struct StoredAs<bool> {
  using type = bool;
};
template <std::integral T>
struct StoredAs<T> {
  using type = std::int64_t;
};
template <std::floating_point T>
struct StoredAs<T> {
  using type = double;
};
template <>
struct StoredAs<std::string> {
  using type = std::string;
};
template <>
struct StoredAs<const char *> {
  using type = std::string;
};
template <typename T>
struct StoredAs<std::vector<T>> {
  using type = std::vector<typename StoredAs<T>::type>;
};
template <>
struct StoredAs<std::vector<std::uint8_t>> {
  using type = std::vector<std::uint8_t>;
};

template <typename T>
using stored_t = typename StoredAs<std::decay_t<const T>>::type;

}  // namespace detail

/// The C++ types that a parameter can have: bool, integers, floating-point numbers, strings, and vectors
/// of these.
template <typename T>
concept ParameterLike = requires { typename detail::stored_t<T>; };

/// The value of a parameter, or no value (PARAMETER_NOT_SET). A value type; copying strings and arrays
/// allocates.
class ParameterValue {
 public:
  /// The alternatives are in the order of ParameterType.
  using Variant =
      std::variant<std::monostate, bool, std::int64_t, double, std::string,
                   std::vector<std::uint8_t>, std::vector<bool>, std::vector<std::int64_t>,
                   std::vector<double>, std::vector<std::string>>;

  ParameterValue() = default;
  /// Throws InvalidParameterType if an unsigned number does not fit into a signed 64-bit integer.
  template <ParameterLike T>
  explicit ParameterValue(const T & value) : value_(convert<detail::stored_t<T>>(value)) {}
  /// Converts from a message. Throws InvalidParameterType for an unknown type.
  explicit ParameterValue(const rcl_interfaces::msg::ParameterValue & message);

  rcl_interfaces::msg::ParameterValue to_message() const;

  const Variant & variant() const noexcept { return value_; }
  ParameterType get_type() const noexcept { return static_cast<ParameterType>(value_.index()); }

  /// Returns the value as T. Throws InvalidParameterType if the value has another type, or is a number
  /// that T cannot represent.
  template <ParameterLike T>
  T get() const {
    const auto * value = std::get_if<detail::stored_t<T>>(&value_);
    if (value == nullptr) throw_type(Variant(detail::stored_t<T>{}).index());
    return convert<T>(*value);
  }

  friend bool operator==(const ParameterValue &, const ParameterValue &) = default;

 private:
  template <typename To, typename From>
  static To convert(const From & from) {
    if constexpr (std::is_same_v<To, From>) {
      return from;
    } else if constexpr (std::integral<To>) {
      if (!std::in_range<To>(from)) throw_range(std::to_string(from), sizeof(To));
      return static_cast<To>(from);
    } else if constexpr (std::floating_point<To>) {
      return static_cast<To>(from);
    } else if constexpr (std::is_same_v<To, std::string>) {
      return To(from);
    } else {
      To result;
      result.reserve(from.size());
      for (const auto & element : from) {
        result.push_back(convert<typename To::value_type>(element));
      }
      return result;
    }
  }
  [[noreturn]] void throw_type(std::size_t wanted) const;
  [[noreturn]] static void throw_range(const std::string & number, std::size_t bytes);

  Variant value_;
};

/// Returns the value in the form in which it is written in YAML.
std::string to_string(const ParameterValue & value);

}  // namespace takt
