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

/// Options of Node::create_client(), for the jobs that receive responses. Values out of range make the
/// creation throw Error.
struct ClientOptions {
  /// Priority of the jobs under the policy `fp`: 1 to 98, higher is more urgent. Default: 1, the lowest.
  std::optional<int> priority = std::nullopt;
  /// Relative deadline: the time from the arrival of a response to the end of its job. 0: no deadline.
  Duration deadline = Duration::zero();
  /// CPU time that one job may use. 0: unlimited.
  Duration budget = Duration::zero();
  /// The reaction when a job has used up its budget. `background` is allowed only if no other callback
  /// is in the client's mutually exclusive group, or if its group is reentrant.
  OnBudget on_budget = OnBudget::report;
  /// QoS of requests and responses. Its depth also bounds the number of responses that wait for a job.
  QoS qos = services_qos();
  /// The callback group. Default (nullptr): the node's default group.
  CallbackGroup::SharedPtr group = nullptr;
  /// The index of the executor's processor that runs the jobs; see NodeOptions::processor. Default: the
  /// processor of the group, else that of the node.
  std::optional<std::size_t> processor = std::nullopt;
};

/// The part of a client that does not depend on the service type.
class ClientBase : public QueuedCallback {
 public:
  /// Throws NameError, RclError, Error (options out of range). Allocates, blocks.
  ClientBase(const std::shared_ptr<NodeBase> & node, const std::string & name,
             const rosidl_service_type_support_t * type, const ClientOptions & options);

  /// The service name, expanded and remapped. The pointer is valid as long as the client exists. Any
  /// thread; neither allocates nor blocks.
  const char * get_service_name() const noexcept;
  /// Returns whether a server has been discovered; false after shutdown. Any thread, including
  /// callbacks; takes the middleware's locks. Throws RclError.
  bool service_is_ready() const;
  /// Blocks until a server has been discovered, `timeout` has passed (negative: no limit) or the
  /// context is shut down. Returns whether a server has been discovered. Any thread, but not in a
  /// callback. Throws RclError.
  bool wait_for_service(Duration timeout = Duration(-1)) const;

  /// The rcl client, valid as long as this object.
  rcl_client_t * rcl_client() const noexcept { return client_.get(); }

  /// Returns whether `task` was the last one to send a request and no response has been received since.
  bool is_awaited_by(executor::TaskId task) const noexcept override {
    return last_requester_.load() == task;
  }

  WaitSetSize wait_set_size() const noexcept override { return {.clients = 1}; }
  void add_to_wait_set(rcl_wait_set_t & set) override;
  bool is_ready(const rcl_wait_set_t & set) const noexcept override;

 protected:
  /// Sends a request and returns its number. Any thread; blocks as long as the middleware takes to
  /// send. Throws RclError.
  std::int64_t send_request(const void * request);
  /// Takes one response from the middleware. Called in a job; while it runs, no other job of the
  /// processor starts for at most SchedulingExecutorOptions::max_section.
  Taken take_response(std::int64_t & number, void * response);

 private:
  rcl_ret_t set_on_new(rcl_event_callback_t function, const void * user_data) noexcept override;

  std::shared_ptr<rcl_client_t> client_;
  executor::Entity entity_;
  std::atomic<executor::TaskId> last_requester_ = executor::TaskId::none;
  std::size_t index_ = 0;
};

}  // namespace takt
