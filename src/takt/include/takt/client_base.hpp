// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rcl/client.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "takt/node_base.hpp"
#include "takt/qos.hpp"
#include "takt/queued_callback.hpp"
#include "takt/time.hpp"

namespace takt {

struct ClientOptions {
  /// 1 to 98, higher is more urgent: of the job that receives a response. Default: the lowest.
  std::optional<int> priority = std::nullopt;
  /// From the arrival of a response to the end of its job. 0: none.
  Duration deadline = Duration::zero();
  /// CPU time that a job may use; 0: as much as it needs.
  Duration budget = Duration::zero();
  /// What becomes of a job that has used it up. `background` only in a group of its own or a
  /// reentrant one.
  OnBudget on_budget = OnBudget::report;
  /// Its depth is also how many responses may wait for a job.
  QoS qos = services_qos();
  /// Default: the node's.
  CallbackGroup::SharedPtr group = nullptr;
  /// Which of its executor's processors it runs on, as NodeOptions::processor. Default: its
  /// group's, else the node's.
  std::optional<std::size_t> processor = std::nullopt;
};

/// The part of a client that does not depend on the type of its service.
class ClientBase : public QueuedCallback {
 public:
  /// Throws NameError, RclError, Error (options out of range). Allocates, blocks.
  ClientBase(const std::shared_ptr<NodeBase> & node, const std::string & name,
             const rosidl_service_type_support_t * type, const ClientOptions & options);

  /// Resolved. Valid as long as the client.
  const char * get_service_name() const noexcept;
  /// Whether a server has been discovered; false after shutdown. Any thread, callbacks too. Throws
  /// RclError.
  bool service_is_ready() const;
  /// Blocks until there is a server, at most `timeout` (negative: for ever), or until shutdown.
  /// True if there is one. Any thread but a callback's.
  bool wait_for_service(Duration timeout = Duration(-1)) const;

  rcl_client_t * rcl_client() const noexcept { return client_.get(); }

  /// It has asked last, and no response has been received since.
  bool owes(executor::TaskId task) const noexcept override { return asked_by_.load() == task; }

  WaitSetSize wait_set_size() const noexcept override { return {.clients = 1}; }
  void add_to_wait_set(rcl_wait_set_t & set) override;
  bool is_ready(const rcl_wait_set_t & set) const noexcept override;

 protected:
  /// Returns the number of the request. Any thread; takes as long as the middleware does. Throws
  /// RclError.
  std::int64_t send_request(const void * request);
  /// In a job; a middleware section.
  Taken take_response(std::int64_t & number, void * response);

 private:
  rcl_ret_t set_on_new(rcl_event_callback_t function, const void * user_data) noexcept override;

  std::shared_ptr<rcl_client_t> client_;
  executor::Entity entity_;
  std::atomic<executor::TaskId> asked_by_ = executor::TaskId::none;
  std::size_t index_ = 0;
};

}  // namespace takt
