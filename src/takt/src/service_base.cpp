// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt/service_base.hpp"

#include <utility>

#include "budget.hpp"
#include "takt/exceptions.hpp"
#include "takt/logging.hpp"

namespace takt {
namespace {

std::shared_ptr<rcl_service_t> make_service(const std::shared_ptr<NodeBase> & node,
                                            const std::string & name,
                                            const rosidl_service_type_support_t * type,
                                            const QoS & qos) {
  rcl_service_options_t options = rcl_service_get_default_options();
  options.qos = qos.profile();
  const auto init = [&](rcl_service_t * service, const rcl_node_t * of) {
    return rcl_service_init(service, of, type, name.c_str(), &options);
  };
  return node->make_entity(rcl_get_zero_initialized_service(), init, rcl_service_fini,
                           "node '" + std::string(node->name()) + "' cannot serve '" + name + "'");
}

model::Task task_of(const std::string & id, const ServiceOptions & options) {
  model::Task task;
  task.id = id;
  task.kind = TaskKind::service;
  if (options.deadline > Duration::zero()) task.deadline = options.deadline.count();
  detail::set_budget(task, options);
  task.priority = options.priority.value_or(model::lowest_priority);
  // Every request that the middleware can hold must be able to release a job.
  task.queue = static_cast<std::uint32_t>(options.qos.queue_depth());
  return task;
}

}  // namespace

ServiceBase::ServiceBase(const std::shared_ptr<NodeBase> & node, const std::string & name,
                         const rosidl_service_type_support_t * type, const ServiceOptions & options,
                         const detail::CallbackSymbol & symbol)
    : ServiceBase(node, make_service(node, name, type, options.qos), name, options, symbol) {}

ServiceBase::ServiceBase(const std::shared_ptr<NodeBase> & node,
                         std::shared_ptr<rcl_service_t> service, const std::string & id,
                         const ServiceOptions & options, const detail::CallbackSymbol & symbol)
    : QueuedCallback(node, task_of(id, options), options.group, options.qos, {options.processor}),
      service_(std::move(service)),
      entity_(get_service_name()) {
  TRACETOOLS_TRACEPOINT(rclcpp_service_callback_added, static_cast<const void *>(service_.get()),
                        traced());
  detail::trace_callback(traced(), symbol);
}

const char * ServiceBase::get_service_name() const noexcept {
  return rcl_service_get_service_name(service_.get());
}

Taken ServiceBase::take_request(rmw_request_id_t & id, void * request) {
  const executor::Processor::Section section(entity_);
  const rcl_ret_t code = rcl_take_request(service_.get(), &id, request);
  if (code == RCL_RET_OK) return Taken::one;
  detail::take_rcl_error();
  // There was no request, or only the notice that a client has been destroyed.
  return code == RCL_RET_SERVICE_TAKE_FAILED ? Taken::unknown : Taken::failed;
}

void ServiceBase::send_response(rmw_request_id_t & id, void * response) noexcept {
  {
    const executor::Processor::Section section(entity_);
    if (rcl_send_response(service_.get(), &id, response) == RCL_RET_OK) return;
  }
  const std::string reason = detail::take_rcl_error();
  if (!node().context()->is_valid()) {
    return node().context()->log_late_send("response", get_service_name());
  }
  TAKT_WARN(get_logger(rcl_node_get_logger_name(node().rcl_node())),
            "cannot send a response of '%s': %s", get_service_name(), reason.c_str());
}

void ServiceBase::add_to_wait_set(rcl_wait_set_t & set) {
  detail::check(rcl_wait_set_add_service(&set, service_.get(), &index_),
                "cannot wait for '" + id() + "'");
}

bool ServiceBase::is_ready(const rcl_wait_set_t & set) const noexcept {
  return set.services[index_] != nullptr;
}

rcl_ret_t ServiceBase::set_on_new(rcl_event_callback_t function, const void * user_data) noexcept {
  return rcl_service_set_on_new_request_callback(service_.get(), function, user_data);
}

}  // namespace takt
