// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "container_settings.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <rclcpp/rclcpp.hpp>
#include <set>
#include <stdexcept>
#include <utility>

#include "container_arguments.hpp"
#include "container_parameters.hpp"

namespace takt::rclcpp {
namespace {

constexpr auto node_name = "ComponentManager";

/// Creates a node that reads the container's parameters. Throws std::invalid_argument.
std::unique_ptr<::rclcpp::Node> make_node() {
  const auto options =
      ::rclcpp::NodeOptions().start_parameter_services(false).start_parameter_event_publisher(
          false);
  try {
    return std::make_unique<::rclcpp::Node>(node_name, options);
  } catch (const std::exception & error) {
    std::string names;
    for (const std::string & name : empty_lists(node_name))
      names += (names.empty() ? "" : ", ") + name;
    if (names.empty()) throw;
    throw std::invalid_argument(names + ": the list is empty: leave it out, or give it elements");
  }
}

/// Reads the rules, each as `NAME=ROLE`.
std::vector<executor::ThreadRule> read_thread_roles(ContainerParameters & parameters) {
  constexpr auto parameter = "thread_roles";
  constexpr std::array roles{executor::ThreadRole::middleware, executor::ThreadRole::events,
                             executor::ThreadRole::background, executor::ThreadRole::ordinary};
  std::vector<executor::ThreadRule> rules;
  for (const std::string & text : parameters.texts(parameter)) {
    const std::size_t at = text.rfind('=');
    const std::string word = at == std::string::npos ? "" : text.substr(at + 1);
    const auto role = std::find_if(roles.begin(), roles.end(), [&word](executor::ThreadRole each) {
      return word == executor::to_string(each);
    });
    if (role == roles.end()) {
      throw std::invalid_argument(
          std::string(parameter) + ": '" + text +
          "' is not a rule: give NAME=ROLE, as link.rx*=middleware, with a role of middleware, "
          "events, background or ordinary");
    }
    rules.push_back({text.substr(0, at), *role});
  }
  return rules;
}

Diagnostics read_diagnostics(ContainerParameters & parameters) {
  Diagnostics diagnostics;
  diagnostics.enabled = parameters.flag("diagnostics.enabled", diagnostics.enabled);
  constexpr auto period = "diagnostics.period";
  diagnostics.period = parameters.duration(period, diagnostics.period);
  if (diagnostics.period == diagnostics.period.zero()) {
    throw std::invalid_argument(std::string(period) + ": must be above 0");
  }
  diagnostics.node = parameters.text("diagnostics.node", diagnostics.node);
  return diagnostics;
}

SchedulingOptions read_options(ContainerParameters & parameters) {
  SchedulingOptions options;
  options.policy = parameters.text("policy", "rm");
  options.cpus = parameters.cpus("cpus");
  const PriorityPlan plan;
  const std::array<std::pair<const char *, int PriorityPlan::*>, 6> priorities{
      {{"plan.timer", &PriorityPlan::timer},
       {"plan.middleware", &PriorityPlan::middleware},
       {"plan.handler", &PriorityPlan::handler},
       {"plan.workers_high", &PriorityPlan::workers_high},
       {"plan.workers_low", &PriorityPlan::workers_low},
       {"plan.background", &PriorityPlan::background}}};
  for (const auto & [name, member] : priorities) {
    options.plan.*member = static_cast<int>(parameters.number(name, plan.*member, 0, 99));
  }
  constexpr std::array rules{OnException::rethrow, OnException::report, OnException::terminate};
  options.on_exception =
      rules.at(parameters.choice("on_exception", {"rethrow", "report", "terminate"}));
  options.lock_memory = parameters.flag("lock_memory", options.lock_memory);
  constexpr std::int64_t most_stack = std::int64_t{4} << 30;
  options.stack_size = static_cast<std::size_t>(parameters.number("stack_size", 0, 0, most_stack));
  constexpr std::int64_t most_heap = 2'147'483'647;
  options.kept_heap = parameters.number("kept_heap", options.kept_heap, 0, most_heap);
  options.time_decisions = parameters.flag("time_decisions", options.time_decisions);
  options.age_margin = parameters.duration("age_margin", options.age_margin);
  options.max_section = parameters.duration("max_section", options.max_section);
  options.thread_roles = read_thread_roles(parameters);
  options.widen_started_threads =
      parameters.flag("widen_started_threads", options.widen_started_threads);
  options.diagnostics = read_diagnostics(parameters);
  options.trace.file = parameters.text("trace", "");
  constexpr std::int64_t most_events = 1 << 26;
  options.trace.capacity = static_cast<std::size_t>(parameters.number(
      "trace_capacity", static_cast<std::int64_t>(options.trace.capacity), 1, most_events));
  options.trace.cpus = parameters.cpus("trace_cpus");
  return options;
}

}  // namespace

ContainerSettings read_container_settings(const std::vector<std::string> & arguments) {
  const auto node = make_node();
  ContainerParameters parameters(*node);
  ContainerSettings settings;
  settings.scheduling = read_options(parameters);
  settings.strategy = parameters.text("strategy", "");
  settings.strategy_check_after =
      parameters.duration("strategy_check_after", std::chrono::seconds(10));
  settings.callback_timeout = parameters.duration("callback_timeout", std::chrono::seconds(3));
  settings.scheduling.pre_shutdown_limit =
      parameters.duration("pre_shutdown_limit", settings.scheduling.pre_shutdown_limit);
  settings.scheduling.log = [logger = node->get_logger()](const std::string & line) {
    // After the shutdown of the context there is no /rosout, and rcl would complain about each line.
    if (::rclcpp::ok()) {
      RCLCPP_WARN(logger, "%s", line.c_str());
    } else {
      std::fprintf(stderr, "takt: %s\n", line.c_str());
    }
  };
  settings.log_misses = parameters.flag("log_misses", false);
  settings.log_overruns = parameters.flag("log_overruns", false);
  settings.log_budgets = parameters.flag("log_budgets", false);
  parameters.leave("scenario");
  for (const std::string & line :
       parameters.refuse_unknown(parameters_meant(arguments, node->get_fully_qualified_name()))) {
    RCLCPP_WARN(node->get_logger(), "%s", line.c_str());
  }
  const auto & given = node->get_node_parameters_interface()->get_parameter_overrides();
  if (settings.strategy.empty() && given.contains("scenario")) {
    throw std::invalid_argument(
        "scenario: a scenario needs a strategy that defines it: give -p strategy:=FILE");
  }
  return settings;
}

}  // namespace takt::rclcpp
