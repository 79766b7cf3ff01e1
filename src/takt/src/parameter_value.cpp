// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt/parameter_value.hpp"

#include <array>
#include <charconv>
#include <locale>
#include <sstream>
#include <string_view>

#include "parameter_remedy.hpp"

namespace takt {
namespace {

using Message = rcl_interfaces::msg::ParameterValue;
using Bytes = std::vector<std::uint8_t>;

void write(std::ostream & out, bool value) {
  out << (value ? "true" : "false");
}
void write(std::ostream & out, std::int64_t value) {
  out << value;
}
void write(std::ostream & out, std::uint8_t value) {
  out << static_cast<int>(value);
}
void write(std::ostream & out, const std::string & value) {
  out << value;
}
void write(std::ostream & out, double value) {
  std::array<char, 32> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
  const std::string_view digits(buffer.data(), static_cast<std::size_t>(end - buffer.data()));
  // An integral value needs a decimal point, or it would be read as an integer.
  const bool whole = digits.find_first_not_of("-0123456789") == std::string_view::npos;
  out << digits << (whole ? ".0" : "");
}
template <typename T>
void write(std::ostream & out, const std::vector<T> & values) {
  const char * between = "[";
  for (const T & value : values) {
    out << between;
    write(out, value);
    between = ", ";
  }
  out << (values.empty() ? "[]" : "]");
}
void write(std::ostream & out, std::monostate) {
  out << "not set";
}

}  // namespace

const char * to_string(ParameterType type) noexcept {
  static constexpr std::array names{"not set",      "bool",        "integer",    "double",
                                    "string",       "byte array",  "bool array", "integer array",
                                    "double array", "string array"};
  return type < names.size() ? names[type] : "unknown";
}

ParameterValue::ParameterValue(const Message & message) {
  switch (message.type) {
    case PARAMETER_NOT_SET:
      return;
    case PARAMETER_BOOL:
      value_ = message.bool_value;
      return;
    case PARAMETER_INTEGER:
      value_ = message.integer_value;
      return;
    case PARAMETER_DOUBLE:
      value_ = message.double_value;
      return;
    case PARAMETER_STRING:
      value_ = message.string_value;
      return;
    case PARAMETER_BYTE_ARRAY:
      value_ = message.byte_array_value;
      return;
    case PARAMETER_BOOL_ARRAY:
      value_ = message.bool_array_value;
      return;
    case PARAMETER_INTEGER_ARRAY:
      value_ = message.integer_array_value;
      return;
    case PARAMETER_DOUBLE_ARRAY:
      value_ = message.double_array_value;
      return;
    case PARAMETER_STRING_ARRAY:
      value_ = message.string_array_value;
      return;
    default:
      throw InvalidParameterType("a message contains a parameter of the unknown type " +
                                 std::to_string(message.type));
  }
}

Message ParameterValue::to_message() const {
  Message message;
  message.type = get_type();
  const struct {
    Message & to;
    void operator()(std::monostate) const {}
    void operator()(bool value) const { to.bool_value = value; }
    void operator()(std::int64_t value) const { to.integer_value = value; }
    void operator()(double value) const { to.double_value = value; }
    void operator()(const std::string & value) const { to.string_value = value; }
    void operator()(const Bytes & value) const { to.byte_array_value = value; }
    void operator()(const std::vector<bool> & value) const { to.bool_array_value = value; }
    void operator()(const std::vector<std::int64_t> & value) const {
      to.integer_array_value = value;
    }
    void operator()(const std::vector<double> & value) const { to.double_array_value = value; }
    void operator()(const std::vector<std::string> & value) const { to.string_array_value = value; }
  } fill{message};
  std::visit(fill, value_);
  return message;
}

void ParameterValue::throw_type(std::size_t wanted) const {
  const auto type = static_cast<ParameterType>(wanted);
  const std::string remedy = detail::written_as(*this, type);
  throw InvalidParameterType(std::string("expected ") + to_string(type) + ", found " +
                             to_string(get_type()) + (remedy.empty() ? "" : "; write " + remedy));
}

void ParameterValue::throw_range(const std::string & number, std::size_t bytes) {
  throw InvalidParameterType("the number " + number + " does not fit into " +
                             std::to_string(8 * bytes) + " bits");
}

std::string to_string(const ParameterValue & value) {
  std::ostringstream out;
  out.imbue(std::locale::classic());
  std::visit([&out](const auto & held) { write(out, held); }, value.variant());
  return out.str();
}

}  // namespace takt
