// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "parameter_state.hpp"

#include "parameter_checks.hpp"

namespace takt {
namespace {

/// Returns the registered callbacks, in the reverse order of registration. They are held by the result, so
/// that a callback may remove itself while it is called.
template <typename Callback>
std::vector<std::shared_ptr<Callback>> present(
    const std::vector<std::weak_ptr<Callback>> & callbacks) {
  std::vector<std::shared_ptr<Callback>> result;
  for (auto weak = callbacks.rbegin(); weak != callbacks.rend(); ++weak) {
    if (auto callback = weak->lock()) result.push_back(std::move(callback));
  }
  return result;
}

SetParametersResult success() {
  SetParametersResult result;
  result.successful = true;
  return result;
}

SetParametersResult refusal(const std::string & reason) {
  SetParametersResult result;
  result.successful = false;
  result.reason = reason;
  return result;
}

}  // namespace

const Parameters::State::Entry & Parameters::State::get(const std::string & name) const {
  if (const Entry * entry = find(name)) return *entry;
  throw ParameterNotDeclared("parameter '" + name + "' is not declared: declare it first");
}

ParameterValue Parameters::State::declare(const std::string & name, ParameterValue value,
                                          ParameterDescriptor descriptor, bool ignore_override,
                                          MustFit must_fit) {
  if (name.empty()) throw InvalidParameters("a parameter's name must not be empty");
  if (find(name) != nullptr) {
    throw ParameterAlreadyDeclared("parameter '" + name + "' has been declared already");
  }
  descriptor.name = name;
  const auto given = overrides.find(name);
  if (!ignore_override && given != overrides.end()) {
    value = detail::of_declared_type(given->second, descriptor);
    if (value.get_type() == PARAMETER_NOT_SET && descriptor.type != PARAMETER_NOT_SET) {
      throw InvalidParameterType(detail::empty_list_refusal(descriptor));
    }
  }

  const Parameter parameter(name, value);
  if (value.get_type() != PARAMETER_NOT_SET) {
    if (const auto reason = detail::type_refusal(parameter, descriptor); !reason.empty()) {
      throw InvalidParameterType(reason);
    }
    if (must_fit != nullptr) must_fit(parameter);
    if (const auto reason = detail::range_refusal(parameter, descriptor); !reason.empty()) {
      throw InvalidParameterValue(reason);
    }
    if (const auto result = ask({parameter}); !result.successful) {
      throw InvalidParameterValue("parameter '" + name + "' cannot be " +
                                  parameter.value_to_string() + ": " + result.reason);
    }
  }
  {
    const os::Lock lock(data);
    entries.emplace(name, Entry{value, std::move(descriptor)});
  }
  if (value.get_type() != PARAMETER_NOT_SET) {
    Event event;
    event.new_parameters.push_back(parameter.to_parameter_msg());
    tell({parameter}, event);
  }
  return value;
}

SetParametersResult Parameters::State::set(std::vector<Parameter> parameters) {
  const bool something = !parameters.empty();
  for (const auto & callback : present(pre_set)) (*callback)(parameters);
  if (something && parameters.empty()) {
    return refusal("nothing is left to set: the pre-set callbacks removed every parameter");
  }
  for (auto & parameter : parameters) {
    const Entry * entry = look(parameter.get_name());
    if (entry == nullptr || entry->descriptor.dynamic_typing) continue;
    if (!detail::is_empty_list(parameter.get_parameter_value())) continue;
    parameter =
        Parameter(parameter.get_name(),
                  detail::of_declared_type(parameter.get_parameter_value(), entry->descriptor));
  }
  if (auto result = check(parameters); !result.successful) return result;
  if (auto result = ask(parameters); !result.successful) return result;
  commit(parameters);
  return success();
}

SetParametersResult Parameters::State::check(const std::vector<Parameter> & parameters) const {
  for (const auto & parameter : parameters) {
    if (parameter.get_name().empty()) return refusal("a parameter's name must not be empty");
    const Entry * entry = find(parameter.get_name());
    if (entry == nullptr) continue;
    if (entry->descriptor.read_only) {
      return refusal("parameter '" + parameter.get_name() + "' cannot be set: it is read-only");
    }
    if (auto reason = detail::type_refusal(parameter, entry->descriptor); !reason.empty()) {
      return refusal(reason);
    }
    if (auto reason = detail::range_refusal(parameter, entry->descriptor); !reason.empty()) {
      return refusal(reason);
    }
  }
  return success();
}

SetParametersResult Parameters::State::ask(const std::vector<Parameter> & parameters) const {
  for (const auto & callback : present(on_set)) {
    if (auto result = (*callback)(parameters); !result.successful) return result;
  }
  return success();
}

void Parameters::State::commit(const std::vector<Parameter> & parameters) {
  Event event;
  {
    const os::Lock lock(data);
    for (const auto & parameter : parameters) {
      const std::string & name = parameter.get_name();
      const auto found = entries.find(name);
      const bool was_set =
          found != entries.end() && found->second.value.get_type() != PARAMETER_NOT_SET;
      if (parameter.get_type() == PARAMETER_NOT_SET) {
        // Unsetting a parameter undeclares it. Only dynamically typed parameters reach this point.
        if (was_set) event.deleted_parameters.push_back(parameter.to_parameter_msg());
        if (found != entries.end()) entries.erase(found);
        continue;
      }
      (was_set ? event.changed_parameters : event.new_parameters)
          .push_back(parameter.to_parameter_msg());
      if (found != entries.end()) {
        found->second.value = parameter.get_parameter_value();
      } else {
        ParameterDescriptor implicit;
        implicit.name = name;
        implicit.dynamic_typing = true;
        entries.emplace(name, Entry{parameter.get_parameter_value(), std::move(implicit)});
      }
    }
  }
  tell(parameters, event);
}

void Parameters::State::tell(const std::vector<Parameter> & parameters, Event & event) const {
  for (const auto & callback : present(post_set)) (*callback)(parameters);
  const bool something = !event.new_parameters.empty() || !event.changed_parameters.empty() ||
                         !event.deleted_parameters.empty();
  if (something && event_listener) event_listener(event);
}

}  // namespace takt
