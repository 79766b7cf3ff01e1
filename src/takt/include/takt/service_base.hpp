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

struct ServiceOptions {
  /// 1 to 98, higher is more urgent. Default: the lowest.
  std::optional<int> priority = std::nullopt;
  /// From the arrival of a request to the end of its job. 0: none.
  Duration deadline = Duration::zero();
  /// CPU time that a job may use; 0: as much as it needs.
  Duration budget = Duration::zero();
  /// What becomes of a job that has used it up. `background` only in a group of its own or a
  /// reentrant one.
  OnBudget on_budget = OnBudget::report;
  /// Its depth is also how many requests may wait for a job.
  QoS qos = services_qos();
  /// Default: the node's.
  CallbackGroup::SharedPtr group = nullptr;
  /// Which of its executor's processors it runs on, as NodeOptions::processor. Default: its
  /// group's, else the node's.
  std::optional<std::size_t> processor = std::nullopt;
};

/// The part of a service that does not depend on its type.
class ServiceBase : public QueuedCallback {
 public:
  /// Throws NameError, RclError, Error (options out of range). Allocates, blocks.
  ServiceBase(const std::shared_ptr<NodeBase> & node, const std::string & name,
              const rosidl_service_type_support_t * type, const ServiceOptions & options,
              const detail::CallbackSymbol & symbol);
  /// For a service that rcl made; `id` is its name as a callback.
  ServiceBase(const std::shared_ptr<NodeBase> & node, std::shared_ptr<rcl_service_t> service,
              const std::string & id, const ServiceOptions & options,
              const detail::CallbackSymbol & symbol);

  /// Resolved. Valid as long as the service.
  const char * get_service_name() const noexcept;
  rcl_service_t * rcl_service() const noexcept { return service_.get(); }

  WaitSetSize wait_set_size() const noexcept override { return {.services = 1}; }
  void add_to_wait_set(rcl_wait_set_t & set) override;
  bool is_ready(const rcl_wait_set_t & set) const noexcept override;

 protected:
  /// What stands for its callback in traces.
  const void * traced() const noexcept { return this; }
  /// In a job; a middleware section.
  Taken take_request(rmw_request_id_t & id, void * request);
  /// A response that the middleware refuses, because the client is gone or does not listen, is
  /// logged. Any thread; takes as long as the middleware does. Nothing after shutdown.
  void send_response(rmw_request_id_t & id, void * response) noexcept;

 private:
  rcl_ret_t set_on_new(rcl_event_callback_t function, const void * user_data) noexcept override;

  std::shared_ptr<rcl_service_t> service_;
  executor::Entity entity_;
  std::size_t index_ = 0;
};

}  // namespace takt
