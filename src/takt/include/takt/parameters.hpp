// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <rcl_interfaces/msg/list_parameters_result.hpp>
#include <rcl_interfaces/msg/parameter_descriptor.hpp>
#include <rcl_interfaces/msg/parameter_event.hpp>
#include <rcl_interfaces/msg/set_parameters_result.hpp>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "takt/parameter.hpp"

namespace takt {

using rcl_interfaces::msg::ListParametersResult;
using rcl_interfaces::msg::ParameterDescriptor;
using rcl_interfaces::msg::SetParametersResult;

/// May change the list of parameters that is about to be set.
using PreSetParametersCallback = std::function<void(std::vector<Parameter> &)>;
/// Accepts or refuses the parameters that are about to be set, all together.
using OnSetParametersCallback = std::function<SetParametersResult(const std::vector<Parameter> &)>;
/// Is told of parameters that have been set.
using PostSetParametersCallback = std::function<void(const std::vector<Parameter> &)>;

/// The parameters of a node, with the meaning they have in rclcpp: declared first, of one type
/// unless declared with dynamic typing, within their range, watched by callbacks.
///
/// Thread-safe. Changes exclude each other and hold the lock while callbacks run; looking takes
/// another lock, with priority inheritance, only as long as it takes to find and copy a value, and
/// may be done in any callback, also in the callbacks for parameters. Changing from inside those
/// throws ParameterModifiedInCallback. Everything throws ParameterError's family, allocates.
class Parameters {
 public:
  /// Ends a callback when its last copy goes; on return it is not being called, unless it lets go
  /// of itself.
  using Handle = std::shared_ptr<void>;

  Parameters();
  Parameters(const Parameters &) = delete;
  Parameters & operator=(const Parameters &) = delete;

  // ---- declaring --------------------------------------------------------------------------------

  /// Declares a parameter and returns its value: that of the YAML files, the command line or the
  /// node's options, unless `ignore_override`; else the one given here. An empty list, which has no
  /// type where it is written, is one of the declared type. Throws ParameterAlreadyDeclared,
  /// InvalidParameterType, InvalidParameterValue; it is not declared then.
  ParameterValue declare_parameter(const std::string & name, const ParameterValue & default_value,
                                   const ParameterDescriptor & descriptor = ParameterDescriptor(),
                                   bool ignore_override = false);
  template <ParameterLike T>
  auto declare_parameter(const std::string & name, const T & default_value,
                         const ParameterDescriptor & descriptor = ParameterDescriptor(),
                         bool ignore_override = false) {
    return Parameter(name, declare(name, ParameterValue(default_value), descriptor, ignore_override,
                                   demand_fit<Returned<T>>))
        .template get_value<Returned<T>>();
  }
  /// Without a value of its own: getting it throws ParameterUninitialized until it is given one.
  ParameterValue declare_parameter(const std::string & name, ParameterType type,
                                   const ParameterDescriptor & descriptor = ParameterDescriptor(),
                                   bool ignore_override = false);
  /// Must have been given a value from outside; throws ParameterUninitialized.
  template <ParameterLike T>
  T declare_parameter(const std::string & name,
                      const ParameterDescriptor & descriptor = ParameterDescriptor(),
                      bool ignore_override = false) {
    const ParameterType type = ParameterValue(T{}).get_type();
    return require(name, declare(name, type, descriptor, ignore_override, demand_fit<T>))
        .template get<T>();
  }
  /// Those of `namespace_.`; an empty one is none.
  template <ParameterLike T>
  std::vector<T> declare_parameters(const std::string & namespace_,
                                    const std::map<std::string, T> & parameters,
                                    bool ignore_overrides = false) {
    const std::string prefix = namespace_.empty() ? "" : namespace_ + ".";
    std::vector<T> result;
    for (const auto & [name, value] : parameters) {
      result.push_back(
          declare_parameter(prefix + name, value, ParameterDescriptor(), ignore_overrides));
    }
    return result;
  }

  /// Throws ParameterNotDeclared, ParameterImmutable.
  void undeclare_parameter(const std::string & name);
  bool has_parameter(const std::string & name) const;

  // ---- setting ----------------------------------------------------------------------------------

  /// A refusal is a result, not an exception. Throws ParameterNotDeclared, unless undeclared
  /// parameters are allowed: then it declares it.
  SetParametersResult set_parameter(const Parameter & parameter);
  /// One after the other; each alone succeeds or does not.
  std::vector<SetParametersResult> set_parameters(const std::vector<Parameter> & parameters);
  /// All or none.
  SetParametersResult set_parameters_atomically(const std::vector<Parameter> & parameters);

  // ---- looking ----------------------------------------------------------------------------------

  /// Throws ParameterNotDeclared (unless undeclared parameters are allowed: not set then),
  /// ParameterUninitialized.
  Parameter get_parameter(const std::string & name) const;
  /// False, and `value` unchanged, if there is no such parameter or it has no value. Throws
  /// InvalidParameterType. Allocates nothing for numbers and truth values.
  template <ParameterLike T>
  bool get_parameter(const std::string & name, T & value) const {
    const ParameterValue found = value_of(name);
    if (found.get_type() == PARAMETER_NOT_SET) return false;
    try {
      value = found.get<T>();
    } catch (const InvalidParameterType & error) {
      throw InvalidParameterType("parameter '" + name + "': " + error.what());
    }
    return true;
  }
  bool get_parameter(const std::string & name, Parameter & parameter) const;
  template <ParameterLike T>
  T get_parameter_or(const std::string & name, const T & alternative) const {
    T value = alternative;
    get_parameter(name, value);
    return value;
  }
  std::vector<Parameter> get_parameters(const std::vector<std::string> & names) const;
  /// Those of `prefix.`, named without it; all if it is empty. False if there are none.
  template <ParameterLike T>
  bool get_parameters(const std::string & prefix, std::map<std::string, T> & values) const {
    const std::vector<std::pair<std::string, Parameter>> found = with_prefix(prefix);
    for (const auto & [name, parameter] : found) values[name] = parameter.template get_value<T>();
    return !found.empty();
  }
  /// Throw ParameterNotDeclared, unless undeclared parameters are allowed.
  ParameterDescriptor describe_parameter(const std::string & name) const;
  std::vector<ParameterDescriptor> describe_parameters(
      const std::vector<std::string> & names) const;
  std::vector<std::uint8_t> get_parameter_types(const std::vector<std::string> & names) const;
  /// Names below the prefixes (all without any), at most `depth` levels deep; 0 for no bound.
  ListParametersResult list_parameters(const std::vector<std::string> & prefixes,
                                       std::uint64_t depth) const;
  /// What YAML files, the command line and the node's options say, declared or not.
  std::map<std::string, ParameterValue> get_parameter_overrides() const;

  // ---- callbacks: the one added last is called first --------------------------------------------

  [[nodiscard]] Handle add_pre_set_parameters_callback(PreSetParametersCallback callback);
  [[nodiscard]] Handle add_on_set_parameters_callback(OnSetParametersCallback callback);
  [[nodiscard]] Handle add_post_set_parameters_callback(PostSetParametersCallback callback);

 protected:
  using Event = rcl_interfaces::msg::ParameterEvent;

  ~Parameters() = default;

  // For the node, before anything is declared.

  void set_overrides(std::map<std::string, ParameterValue> overrides);
  void allow_undeclared(bool allow);
  /// Is told of every change, in order, with the sets of the event filled in.
  void set_event_listener(std::function<void(Event &)> listener);

 private:
  template <typename T>
  using Returned = std::conditional_t<std::is_array_v<T> || std::is_pointer_v<T>, std::string, T>;
  struct State;
  /// Throws InvalidParameterType, which names the parameter, if it cannot be held by a type of C++.
  using MustFit = void (*)(const Parameter &);
  template <typename T>
  static void demand_fit(const Parameter & parameter) {
    static_cast<void>(parameter.get_value<T>());
  }

  // `must_fit`: nullptr if everything does.
  ParameterValue declare(const std::string & name, const ParameterValue & default_value,
                         const ParameterDescriptor & descriptor, bool ignore_override,
                         MustFit must_fit);
  ParameterValue declare(const std::string & name, ParameterType type,
                         const ParameterDescriptor & descriptor, bool ignore_override,
                         MustFit must_fit);
  /// The value, unless it has none; throws ParameterUninitialized.
  static const ParameterValue & require(const std::string & name, const ParameterValue & value);
  /// Not set if there is none, or none of this name.
  ParameterValue value_of(const std::string & name) const;
  std::vector<std::pair<std::string, Parameter>> with_prefix(const std::string & prefix) const;

  std::shared_ptr<State> state_;  // shared with handles, which may outlive the node
};

}  // namespace takt
