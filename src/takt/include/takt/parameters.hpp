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

/// Called before parameters are set; may change the list.
using PreSetParametersCallback = std::function<void(std::vector<Parameter> &)>;
/// Accepts or rejects the list of parameters that are about to be set, as a whole.
using OnSetParametersCallback = std::function<SetParametersResult(const std::vector<Parameter> &)>;
/// Called after parameters have been set.
using PostSetParametersCallback = std::function<void(const std::vector<Parameter> &)>;

/// The parameters of a node, with the semantics of rclcpp: they are declared first, have a fixed type
/// unless declared with dynamic typing, must lie within their declared range, and changes are checked by
/// callbacks.
///
/// Thread-safe. Functions that change parameters exclude each other by a mutex, which they hold while
/// parameter callbacks run. Functions that only read take another mutex (priority inheritance) for as
/// long as it takes to find and copy a value; they may be called in any callback, including parameter
/// callbacks. Changing parameters inside a parameter callback throws ParameterModifiedInCallback. Unless
/// stated otherwise, all functions allocate and throw exceptions derived from ParameterError.
class Parameters {
 public:
  /// Keeps a parameter callback registered. Destroying the last copy removes the callback, and blocks
  /// while it is being called, unless the callback itself destroys the handle.
  using Handle = std::shared_ptr<void>;

  Parameters();
  Parameters(const Parameters &) = delete;
  Parameters & operator=(const Parameters &) = delete;

  // ---- declaring --------------------------------------------------------------------------------

  /// Declares a parameter and returns its value: the override from YAML files, the command line or the
  /// node's options, if there is one and `ignore_override` is false, else `default_value`. An override
  /// that is an empty list takes the declared type. Throws ParameterAlreadyDeclared,
  /// InvalidParameterType and InvalidParameterValue; the parameter is not declared then.
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
  /// Declares a parameter without a default value. If there is no override, reading the parameter throws
  /// ParameterUninitialized until it has been set.
  ParameterValue declare_parameter(const std::string & name, ParameterType type,
                                   const ParameterDescriptor & descriptor = ParameterDescriptor(),
                                   bool ignore_override = false);
  /// Declares a parameter of type T without a default value. Throws ParameterUninitialized if there is
  /// no override.
  template <ParameterLike T>
  T declare_parameter(const std::string & name,
                      const ParameterDescriptor & descriptor = ParameterDescriptor(),
                      bool ignore_override = false) {
    const ParameterType type = ParameterValue(T{}).get_type();
    return require(name, declare(name, type, descriptor, ignore_override, demand_fit<T>))
        .template get<T>();
  }
  /// Declares several parameters as `namespace_.name`, or as `name` if `namespace_` is empty, and
  /// returns their values in the order of the map.
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

  /// Removes a declared parameter. Throws ParameterNotDeclared, ParameterImmutable.
  void undeclare_parameter(const std::string & name);
  /// Returns whether the parameter has been declared.
  bool has_parameter(const std::string & name) const;

  // ---- setting ----------------------------------------------------------------------------------

  /// Sets a parameter. A rejected value is reported by the result, not by an exception. An undeclared
  /// parameter is declared implicitly if the node allows undeclared parameters; otherwise throws
  /// ParameterNotDeclared.
  SetParametersResult set_parameter(const Parameter & parameter);
  /// Sets parameters one after another; each succeeds or fails on its own.
  std::vector<SetParametersResult> set_parameters(const std::vector<Parameter> & parameters);
  /// Sets either all of the parameters or none of them.
  SetParametersResult set_parameters_atomically(const std::vector<Parameter> & parameters);

  // ---- reading ----------------------------------------------------------------------------------

  /// Returns a parameter. If it has not been declared, returns one that is not set if the node allows
  /// undeclared parameters; otherwise throws ParameterNotDeclared. Throws ParameterUninitialized.
  Parameter get_parameter(const std::string & name) const;
  /// Stores the value in `value` and returns true. Returns false and leaves `value` unchanged if there
  /// is no such parameter or it has no value. Throws InvalidParameterType. Allocates nothing for numbers
  /// and Booleans.
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
  /// Stores the parameter in `parameter` and returns true. Returns false and leaves `parameter` unchanged
  /// if it has not been declared or has no value.
  bool get_parameter(const std::string & name, Parameter & parameter) const;
  /// Returns the value, or `alternative` if there is no such parameter or it has no value. Throws
  /// InvalidParameterType.
  template <ParameterLike T>
  T get_parameter_or(const std::string & name, const T & alternative) const {
    T value = alternative;
    get_parameter(name, value);
    return value;
  }
  /// Returns several parameters; see get_parameter(name).
  std::vector<Parameter> get_parameters(const std::vector<std::string> & names) const;
  /// Stores the parameters whose names begin with `prefix.` in `values`, by their names without the
  /// prefix; all parameters if `prefix` is empty. Returns false if there are none.
  template <ParameterLike T>
  bool get_parameters(const std::string & prefix, std::map<std::string, T> & values) const {
    const std::vector<std::pair<std::string, Parameter>> found = with_prefix(prefix);
    for (const auto & [name, parameter] : found) values[name] = parameter.template get_value<T>();
    return !found.empty();
  }
  /// Return the descriptors or types of parameters. Throw ParameterNotDeclared, unless the node allows
  /// undeclared parameters.
  ParameterDescriptor describe_parameter(const std::string & name) const;
  std::vector<ParameterDescriptor> describe_parameters(
      const std::vector<std::string> & names) const;
  std::vector<std::uint8_t> get_parameter_types(const std::vector<std::string> & names) const;
  /// Returns the names of parameters below the given prefixes (all parameters if `prefixes` is empty),
  /// at most `depth` levels deep; 0: any depth.
  ListParametersResult list_parameters(const std::vector<std::string> & prefixes,
                                       std::uint64_t depth) const;
  /// Returns the values that YAML files, the command line and the node's options give, whether or not
  /// the parameters have been declared.
  std::map<std::string, ParameterValue> get_parameter_overrides() const;

  // ---- parameter callbacks: called in the reverse order of registration, on the thread that changes
  // ---- parameters; a callback is registered as long as its handle exists -------------------------

  [[nodiscard]] Handle add_pre_set_parameters_callback(PreSetParametersCallback callback);
  [[nodiscard]] Handle add_on_set_parameters_callback(OnSetParametersCallback callback);
  [[nodiscard]] Handle add_post_set_parameters_callback(PostSetParametersCallback callback);

 protected:
  using Event = rcl_interfaces::msg::ParameterEvent;

  ~Parameters() = default;

  // For the node's constructor, before any parameter is declared.

  void set_overrides(std::map<std::string, ParameterValue> overrides);
  void allow_undeclared(bool allow);
  /// Sets the function that is called after every change, in order. The event's lists of new, changed
  /// and deleted parameters are filled in.
  void set_event_listener(std::function<void(Event &)> listener);

 private:
  template <typename T>
  using Returned = std::conditional_t<std::is_array_v<T> || std::is_pointer_v<T>, std::string, T>;
  struct State;
  /// Throws InvalidParameterType, with the parameter's name, if a certain C++ type cannot represent it.
  using MustFit = void (*)(const Parameter &);
  template <typename T>
  static void demand_fit(const Parameter & parameter) {
    static_cast<void>(parameter.get_value<T>());
  }

  // `must_fit`: nullptr if every value is acceptable.
  ParameterValue declare(const std::string & name, const ParameterValue & default_value,
                         const ParameterDescriptor & descriptor, bool ignore_override,
                         MustFit must_fit);
  ParameterValue declare(const std::string & name, ParameterType type,
                         const ParameterDescriptor & descriptor, bool ignore_override,
                         MustFit must_fit);
  /// Returns `value`, or throws ParameterUninitialized if it is not set.
  static const ParameterValue & require(const std::string & name, const ParameterValue & value);
  /// Returns the value of a parameter; not set if it has no value or there is no such parameter.
  ParameterValue value_of(const std::string & name) const;
  std::vector<std::pair<std::string, Parameter>> with_prefix(const std::string & prefix) const;

  std::shared_ptr<State> state_;  // shared with handles, which may outlive the node
};

}  // namespace takt
