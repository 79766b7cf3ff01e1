// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rclcpp/client.hpp>
#include <rclcpp/service.hpp>

#include <memory>
#include <string>

#include "entity.hpp"
#include "middleware_listener.hpp"
#include "takes.hpp"
#include "takt_core/executor/entity.hpp"
#include "takt_core/tasks/arrivals.hpp"

namespace takt::rclcpp {

/// The traits of a service, with a job for each request.
struct Requests {
  using Owner = ::rclcpp::ServiceBase;
  using Listener = MiddlewareListener<rcl_service_t, rcl_service_set_on_new_request_callback>;
  static constexpr model::TaskKind kind = model::TaskKind::service;
  static constexpr auto take = take_request;
  static auto handle_of(Owner & owner) { return owner.get_service_handle(); }
  static ::rclcpp::QoS qos_of(const Owner & owner) {
    return owner.get_request_subscription_actual_qos();
  }
};

/// The traits of a client, with a job for each response.
struct Responses {
  using Owner = ::rclcpp::ClientBase;
  using Listener = MiddlewareListener<rcl_client_t, rcl_client_set_on_new_response_callback>;
  static constexpr model::TaskKind kind = model::TaskKind::client;
  static constexpr auto take = take_response;
  static auto handle_of(Owner & owner) { return owner.get_client_handle(); }
  static ::rclcpp::QoS qos_of(const Owner & owner) {
    return owner.get_response_subscription_actual_qos();
  }
};

/// A service or a client, depending on the traits `OfT`.
template <typename OfT>
class RequestEntity : public Entity {
 public:
  using Owner = typename OfT::Owner;

  RequestEntity(const std::shared_ptr<NodeView> & node, const std::shared_ptr<Owner> & owner,
                CallbackGroup::SharedPtr group, const TaskOptions & options,
                std::shared_ptr<EntityWatcher> watcher);

  // rclcpp does not say which task has sent a request, but it is known whether a response is waiting.
  bool is_awaited_by(executor::TaskId /*task*/) const noexcept override {
    return OfT::kind == model::TaskKind::client && arrivals_.jobs() > 0;
  }
  bool knows_requester() const noexcept override { return false; }

 protected:
  void start_listening() override;
  void stop_listening() noexcept override;
  void give_up_listening() noexcept override;
  void look() override;
  void continue_from(const Entity & old) override;
  void run_job(const executor::JobInfo & job) override;
  bool gone() const noexcept override { return owner_.expired(); }

 private:
  std::size_t jobs() const noexcept override { return arrivals_.jobs(); }
  bool claim_job() noexcept override { return arrivals_.claim_job(task_.queue); }

  const std::weak_ptr<Owner> owner_;
  executor::Entity used_;
  tasks::Arrivals arrivals_;
  // The last member, so that notifications end before the members that they use are destroyed.
  typename OfT::Listener listener_;
};

using ServiceEntity = RequestEntity<Requests>;
using ClientEntity = RequestEntity<Responses>;

extern template class RequestEntity<Requests>;
extern template class RequestEntity<Responses>;

}  // namespace takt::rclcpp
