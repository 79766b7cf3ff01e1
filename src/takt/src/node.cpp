// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt/node.hpp"

#include <rcl/graph.h>

#include <functional>
#include <rcl_interfaces/msg/parameter_event.hpp>
#include <utility>
#include <vector>

#include "node_services.hpp"
#include "parameter_overrides.hpp"
#include "rcl_node_options.hpp"
#include "takt/exceptions.hpp"
#include "takt/publisher.hpp"

namespace takt {
namespace {

/// Returns the function that publishes changes of parameters on /parameter_events.
std::function<void(rcl_interfaces::msg::ParameterEvent &)> event_publisher(
    const std::shared_ptr<NodeBase> & base) {
  using Event = rcl_interfaces::msg::ParameterEvent;
  const auto publisher = std::make_shared<Publisher<Event>>(
      base, "/parameter_events", parameter_events_qos(), PublisherOptions());
  return [publisher, clock = base->clock(), context = base->context(),
          name = std::string(base->fully_qualified_name())](Event & event) {
    if (!context->is_valid()) return;  // not a message of the user, so no warning is logged
    event.node = name;
    event.stamp = clock->now();
    publisher->publish(event);
  };
}

}  // namespace

Node::Node(const std::string & name, const NodeOptions & options)
    : options_(options),
      base_(std::make_shared<NodeBase>(
          options.context != nullptr ? options.context : default_context(), name,
          options.namespace_, detail::RclNodeOptions(name, options).get(), options.intra_process,
          options.processor)),
      logger_(rcl_node_get_logger_name(base_->rcl_node())) {
  detail::ParameterMap overrides = detail::parameter_overrides(*base_->rcl_node());
  for (const Parameter & parameter : options.parameter_overrides) {
    overrides[parameter.get_name()] = parameter.get_parameter_value();
  }
  set_overrides(overrides);
  allow_undeclared(options.allow_undeclared_parameters);
  if (options.start_parameter_event_publisher) set_event_listener(event_publisher(base_));
  if (options.automatically_declare_parameters_from_overrides) {
    ParameterDescriptor descriptor;
    descriptor.dynamic_typing = true;
    for (const auto & [key, value] : overrides) {
      // An empty list is not set here: its type is not known until the parameter is declared.
      if (value.get_type() != PARAMETER_NOT_SET) declare_parameter(key, value, descriptor);
    }
  }
  services_ = std::make_unique<detail::NodeServices>(base_, options_, *this);
}

Node::~Node() = default;

std::string Node::get_name() const {
  return base_->name();
}
std::string Node::get_namespace() const {
  return rcl_node_get_namespace(base_->rcl_node());
}
std::string Node::get_fully_qualified_name() const {
  return base_->fully_qualified_name();
}

void Node::set_scheduling_strategy(const SchedulingStrategy::SharedPtr & strategy) {
  base_->set_strategy(tasks::given(strategy));
  if (strategy != nullptr) services_->serve_scenarios();
}

void Node::request_scenario(std::string_view name) {
  const auto listener = base_->listener();
  if (listener == nullptr) {
    throw Error("scenario '" + std::string(name) + "': node '" + get_name() +
                "' has no executor that could switch to it");
  }
  listener->request_scenario(name);
}

CallbackGroup::SharedPtr Node::create_callback_group(CallbackGroupType type,
                                                     const CallbackGroupOptions & options) {
  return std::make_shared<CallbackGroup>(type, options);
}

std::shared_ptr<Timer> Node::make_timer(const std::string & name, Duration period,
                                        const TimerOptions & options, Timer::Function function,
                                        const detail::CallbackSymbol & symbol, bool unique) {
  const auto clock = options.clock == ClockType::ros ? base_->clock() : nullptr;
  auto timer = base_->add(
      std::make_shared<Timer>(base_, name, period, options, std::move(function), clock, symbol),
      unique);
  timer->attach_reads();
  return timer;
}

std::string Node::resolve_topic_name(const std::string & name) const {
  return base_->resolve_name(name, false);
}

std::size_t Node::count_publishers(const std::string & topic) const {
  std::size_t count = 0;
  detail::check(rcl_count_publishers(base_->rcl_node(), resolve_topic_name(topic).c_str(), &count),
                "cannot count the publishers of '" + topic + "'");
  return count;
}

std::size_t Node::count_subscribers(const std::string & topic) const {
  std::size_t count = 0;
  detail::check(rcl_count_subscribers(base_->rcl_node(), resolve_topic_name(topic).c_str(), &count),
                "cannot count the subscriptions of '" + topic + "'");
  return count;
}

}  // namespace takt
