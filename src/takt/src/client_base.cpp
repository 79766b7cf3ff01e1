// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt/client_base.hpp"

#include <rcl/graph.h>

#include <utility>

#include "budget.hpp"
#include "graph.hpp"
#include "takt/exceptions.hpp"

namespace takt {
namespace {

std::shared_ptr<rcl_client_t> make_client(const std::shared_ptr<NodeBase> & node,
                                          const std::string & name,
                                          const rosidl_service_type_support_t * type,
                                          const QoS & qos) {
  rcl_client_options_t options = rcl_client_get_default_options();
  options.qos = qos.profile();
  const auto init = [&](rcl_client_t * client, const rcl_node_t * of) {
    return rcl_client_init(client, of, type, name.c_str(), &options);
  };
  return node->make_entity(
      rcl_get_zero_initialized_client(), init, rcl_client_fini,
      "node '" + std::string(node->name()) + "' cannot become a client of '" + name + "'");
}

model::Task task_of(const std::string & name, const ClientOptions & options) {
  model::Task task;
  task.id = name;
  task.kind = TaskKind::client;
  if (options.deadline > Duration::zero()) task.deadline = options.deadline.count();
  detail::set_budget(task, options);
  task.priority = options.priority.value_or(model::lowest_priority);
  task.queue = static_cast<std::uint32_t>(options.qos.queue_depth());
  return task;
}

}  // namespace

ClientBase::ClientBase(const std::shared_ptr<NodeBase> & node, const std::string & name,
                       const rosidl_service_type_support_t * type, const ClientOptions & options)
    : QueuedCallback(node, task_of(name, options), options.group, options.qos, {options.processor}),
      client_(make_client(node, name, type, options.qos)),
      entity_(get_service_name()) {}

const char * ClientBase::get_service_name() const noexcept {
  return rcl_client_get_service_name(client_.get());
}

bool ClientBase::service_is_ready() const {
  if (!node().context()->is_valid()) return false;
  bool ready = false;
  const rcl_ret_t code = rcl_service_server_is_available(node().rcl_node(), client_.get(), &ready);
  if (code != RCL_RET_OK && !node().context()->is_valid()) {
    detail::take_rcl_error();  // the context has been shut down in the meantime
    return false;
  }
  detail::check(code, "cannot query the servers of '" + std::string(get_service_name()) + "'");
  return ready;
}

bool ClientBase::wait_for_service(Duration timeout) const {
  return detail::wait_for_graph(node(), timeout, [this] { return service_is_ready(); });
}

std::int64_t ClientBase::send_request(const void * request) {
  std::int64_t number = 0;
  if (!node().context()->is_valid()) {
    node().context()->log_late_send("request", get_service_name());
  }
  const executor::JobInfo * job = executor::Processor::current_job();
  last_requester_.store(job != nullptr ? job->task : executor::TaskId::none);
  const executor::Processor::Section section(entity_);
  detail::check(rcl_send_request(client_.get(), request, &number),
                "cannot send a request to '" + std::string(get_service_name()) + "'");
  return number;
}

Taken ClientBase::take_response(std::int64_t & number, void * response) {
  rmw_request_id_t id{};
  const executor::Processor::Section section(entity_);
  const rcl_ret_t code = rcl_take_response(client_.get(), &id, response);
  if (code == RCL_RET_OK) {
    last_requester_.store(executor::TaskId::none);
    number = id.sequence_number;
    return Taken::one;
  }
  detail::take_rcl_error();
  // There was no response, or one to another client of the service: rcl does not tell these apart.
  return code == RCL_RET_CLIENT_TAKE_FAILED ? Taken::unknown : Taken::failed;
}

void ClientBase::add_to_wait_set(rcl_wait_set_t & set) {
  detail::check(rcl_wait_set_add_client(&set, client_.get(), &index_),
                "cannot wait for '" + id() + "'");
}

bool ClientBase::is_ready(const rcl_wait_set_t & set) const noexcept {
  return set.clients[index_] != nullptr;
}

rcl_ret_t ClientBase::set_on_new(rcl_event_callback_t function, const void * user_data) noexcept {
  return rcl_client_set_on_new_response_callback(client_.get(), function, user_data);
}

}  // namespace takt
