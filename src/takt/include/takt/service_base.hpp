// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rcl/service.h>
#include <rmw/types.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "takt/node_base.hpp"
#include "takt/qos.hpp"
#include "takt/queued_callback.hpp"
#include "takt/time.hpp"
#include "takt/tracepoints.hpp"

namespace takt {

/// Options of Node::create_service(), for the jobs that serve requests. Values out of range make the
/// creation throw Error.
struct ServiceOptions {
  /// Priority of the jobs under the policy `fp`: 1 to 98, higher is more urgent. Default: 1, the lowest.
  std::optional<int> priority = std::nullopt;
  /// Relative deadline: the time from the arrival of a request to the end of its job. 0: no deadline.
  Duration deadline = Duration::zero();
  /// CPU time that one job may use. 0: unlimited.
  Duration budget = Duration::zero();
  /// The reaction when a job has used up its budget. `background` is allowed only if no other callback
  /// is in the service's mutually exclusive group, or if its group is reentrant.
  OnBudget on_budget = OnBudget::report;
  /// QoS of requests and responses. Its depth also bounds the number of requests that wait for a job.
  QoS qos = services_qos();
  /// The callback group. Default (nullptr): the node's default group.
  CallbackGroup::SharedPtr group = nullptr;
  /// The index of the executor's processor that runs the jobs; see NodeOptions::processor. Default: the
  /// processor of the group, else that of the node.
  std::optional<std::size_t> processor = std::nullopt;
};

/// The part of a service that does not depend on the service type.
class ServiceBase : public QueuedCallback {
 public:
  /// Throws NameError, RclError, Error (options out of range). Allocates, blocks.
  ServiceBase(const std::shared_ptr<NodeBase> & node, const std::string & name,
              const rosidl_service_type_support_t * type, const ServiceOptions & options,
              const detail::CallbackSymbol & symbol);
  /// Wraps a service that rcl has created. `id` is the name of the callback.
  ServiceBase(const std::shared_ptr<NodeBase> & node, std::shared_ptr<rcl_service_t> service,
              const std::string & id, const ServiceOptions & options,
              const detail::CallbackSymbol & symbol);

  /// The service name, expanded and remapped. The pointer is valid as long as the service exists. Any
  /// thread; neither allocates nor blocks.
  const char * get_service_name() const noexcept;
  /// The rcl service, valid as long as this object.
  rcl_service_t * rcl_service() const noexcept { return service_.get(); }

  WaitSetSize wait_set_size() const noexcept override { return {.services = 1}; }
  void add_to_wait_set(rcl_wait_set_t & set) override;
  bool is_ready(const rcl_wait_set_t & set) const noexcept override;

 protected:
  /// The address that identifies the user's callback in ROS 2 traces.
  const void * traced() const noexcept { return this; }
  /// Takes one request from the middleware. Called in a job; while it runs, no other job of the
  /// processor starts for at most SchedulingExecutorOptions::max_section.
  Taken take_request(rmw_request_id_t & id, void * request);
  /// Sends a response. If the middleware fails to send it, because the client no longer exists or does
  /// not read, that is logged. Any thread; blocks as long as the middleware takes to send. Sends nothing
  /// after the shutdown of the context.
  void send_response(rmw_request_id_t & id, void * response) noexcept;

 private:
  rcl_ret_t set_on_new(rcl_event_callback_t function, const void * user_data) noexcept override;

  std::shared_ptr<rcl_service_t> service_;
  executor::Entity entity_;
  std::size_t index_ = 0;
};

}  // namespace takt
