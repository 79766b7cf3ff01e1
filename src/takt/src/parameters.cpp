// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt/parameters.hpp"

#include <algorithm>
#include <utility>

#include "parameter_checks.hpp"
#include "parameter_state.hpp"
#include "takt_core/os/lock.hpp"

namespace takt {

Parameters::Parameters() : state_(std::make_shared<State>()) {}

ParameterValue Parameters::declare_parameter(const std::string & name,
                                             const ParameterValue & default_value,
                                             const ParameterDescriptor & descriptor,
                                             bool ignore_override) {
  return declare(name, default_value, descriptor, ignore_override, nullptr);
}

ParameterValue Parameters::declare_parameter(const std::string & name, ParameterType type,
                                             const ParameterDescriptor & descriptor,
                                             bool ignore_override) {
  return declare(name, type, descriptor, ignore_override, nullptr);
}

ParameterValue Parameters::declare(const std::string & name, const ParameterValue & default_value,
                                   const ParameterDescriptor & descriptor, bool ignore_override,
                                   MustFit must_fit) {
  ParameterDescriptor complete = descriptor;
  complete.type = default_value.get_type();
  if (!descriptor.dynamic_typing && complete.type == PARAMETER_NOT_SET) {
    throw InvalidParameterType("parameter '" + name +
                               "' has neither a value nor a type: give it one, or dynamic typing");
  }
  const State::Change change(*state_);
  return state_->declare(name, default_value, std::move(complete), ignore_override, must_fit);
}

ParameterValue Parameters::declare(const std::string & name, ParameterType type,
                                   const ParameterDescriptor & descriptor, bool ignore_override,
                                   MustFit must_fit) {
  if (type == PARAMETER_NOT_SET) {
    throw InvalidParameterType("parameter '" + name +
                               "' cannot be declared with the type 'not set'");
  }
  if (descriptor.dynamic_typing) {
    throw InvalidParameters("parameter '" + name +
                            "' cannot be declared with a type and with dynamic typing");
  }
  ParameterDescriptor complete = descriptor;
  complete.type = type;
  const State::Change change(*state_);
  return state_->declare(name, {}, std::move(complete), ignore_override, must_fit);
}

void Parameters::undeclare_parameter(const std::string & name) {
  const State::Change change(*state_);
  const State::Entry & entry = state_->get(name);
  if (entry.descriptor.read_only) {
    throw ParameterImmutable("parameter '" + name + "' cannot be undeclared: it is read-only");
  }
  if (!entry.descriptor.dynamic_typing) {
    throw ParameterImmutable("parameter '" + name +
                             "' cannot be undeclared: it was declared without dynamic typing");
  }
  Event event;
  event.deleted_parameters.push_back(Parameter(name).to_parameter_msg());
  {
    const os::Lock lock(state_->data);
    state_->entries.erase(name);
  }
  state_->tell({}, event);
}

bool Parameters::has_parameter(const std::string & name) const {
  const os::Lock lock(state_->data);
  return state_->find(name) != nullptr;
}

SetParametersResult Parameters::set_parameter(const Parameter & parameter) {
  return set_parameters_atomically({parameter});
}

std::vector<SetParametersResult> Parameters::set_parameters(
    const std::vector<Parameter> & parameters) {
  std::vector<SetParametersResult> results;
  for (const auto & parameter : parameters) results.push_back(set_parameter(parameter));
  return results;
}

SetParametersResult Parameters::set_parameters_atomically(
    const std::vector<Parameter> & parameters) {
  const State::Change change(*state_);
  return state_->set(parameters);
}

Parameter Parameters::get_parameter(const std::string & name) const {
  const os::Lock lock(state_->data);
  const State::Entry * entry = state_->look(name);
  if (entry == nullptr) return Parameter(name);
  if (entry->descriptor.dynamic_typing) return {name, entry->value};
  return {name, require(name, entry->value)};
}

bool Parameters::get_parameter(const std::string & name, Parameter & parameter) const {
  ParameterValue value = value_of(name);
  if (value.get_type() == PARAMETER_NOT_SET) return false;
  parameter = Parameter(name, std::move(value));
  return true;
}

ParameterValue Parameters::value_of(const std::string & name) const {
  const os::Lock lock(state_->data);
  const State::Entry * entry = state_->find(name);
  return entry != nullptr ? entry->value : ParameterValue();
}

std::vector<Parameter> Parameters::get_parameters(const std::vector<std::string> & names) const {
  std::vector<Parameter> result;
  for (const auto & name : names) result.push_back(get_parameter(name));
  return result;
}

ParameterDescriptor Parameters::describe_parameter(const std::string & name) const {
  const os::Lock lock(state_->data);
  if (const State::Entry * entry = state_->look(name)) return entry->descriptor;
  ParameterDescriptor unknown;
  unknown.name = name;
  return unknown;
}

std::vector<ParameterDescriptor> Parameters::describe_parameters(
    const std::vector<std::string> & names) const {
  std::vector<ParameterDescriptor> result;
  for (const auto & name : names) result.push_back(describe_parameter(name));
  return result;
}

std::vector<std::uint8_t> Parameters::get_parameter_types(
    const std::vector<std::string> & names) const {
  const os::Lock lock(state_->data);
  std::vector<std::uint8_t> result;
  for (const auto & name : names) {
    const State::Entry * entry = state_->look(name);
    result.push_back(entry != nullptr ? entry->value.get_type() : PARAMETER_NOT_SET);
  }
  return result;
}

ListParametersResult Parameters::list_parameters(const std::vector<std::string> & prefixes,
                                                 std::uint64_t depth) const {
  ListParametersResult result;
  const os::Lock lock(state_->data);
  for (const auto & [name, entry] : state_->entries) {
    if (!detail::is_listed(name, prefixes, depth)) continue;
    result.names.push_back(name);
    const auto dot = name.rfind('.');
    if (dot == std::string::npos) continue;
    std::string prefix = name.substr(0, dot);
    if (std::find(result.prefixes.begin(), result.prefixes.end(), prefix) ==
        result.prefixes.end()) {
      result.prefixes.push_back(std::move(prefix));
    }
  }
  return result;
}

std::map<std::string, ParameterValue> Parameters::get_parameter_overrides() const {
  return state_->overrides;
}

Parameters::Handle Parameters::add_pre_set_parameters_callback(PreSetParametersCallback callback) {
  return State::add(state_, &State::pre_set, std::move(callback));
}
Parameters::Handle Parameters::add_on_set_parameters_callback(OnSetParametersCallback callback) {
  return State::add(state_, &State::on_set, std::move(callback));
}
Parameters::Handle Parameters::add_post_set_parameters_callback(
    PostSetParametersCallback callback) {
  return State::add(state_, &State::post_set, std::move(callback));
}

void Parameters::set_overrides(std::map<std::string, ParameterValue> overrides) {
  state_->overrides = std::move(overrides);
}
void Parameters::allow_undeclared(bool allow) {
  state_->allow_undeclared = allow;
}
void Parameters::set_event_listener(std::function<void(Event &)> listener) {
  const State::Change change(*state_);
  state_->event_listener = std::move(listener);
}

const ParameterValue & Parameters::require(const std::string & name, const ParameterValue & value) {
  if (value.get_type() != PARAMETER_NOT_SET) return value;
  throw ParameterUninitialized(
      "parameter '" + name +
      "' has no value: give it one in a YAML file, on the command line, or "
      "by setting it");
}

std::vector<std::pair<std::string, Parameter>> Parameters::with_prefix(
    const std::string & prefix) const {
  const std::string start = prefix.empty() ? "" : prefix + ".";
  std::vector<std::pair<std::string, Parameter>> result;
  const os::Lock lock(state_->data);
  for (const auto & [name, entry] : state_->entries) {
    if (!name.starts_with(start) || entry.value.get_type() == PARAMETER_NOT_SET) continue;
    result.emplace_back(name.substr(start.size()), Parameter(name, entry.value));
  }
  return result;
}

}  // namespace takt
