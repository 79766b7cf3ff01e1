// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rclcpp/client.hpp>
#include <rclcpp/service.hpp>

#include <memory>

#include "entity.hpp"
#include "middleware_listener.hpp"

namespace takt::rclcpp {

/// A service: a job for each request.
class ServiceEntity : public Entity {
 public:
  ServiceEntity(const std::shared_ptr<NodeView> & node,
                const ::rclcpp::ServiceBase::SharedPtr & service, CallbackGroup::SharedPtr group,
                const TaskOptions & options, std::shared_ptr<Keeper> keeper);
  void execute(const executor::JobInfo & job) override;
  void listen(bool on) override;

 private:
  const ::rclcpp::ServiceBase::WeakPtr service_;
  MiddlewareListener<rcl_service_t, rcl_service_set_on_new_request_callback> outside_;
};

/// A client: a job for each response.
class ClientEntity : public Entity {
 public:
  ClientEntity(const std::shared_ptr<NodeView> & node,
               const ::rclcpp::ClientBase::SharedPtr & client, CallbackGroup::SharedPtr group,
               const TaskOptions & options, std::shared_ptr<Keeper> keeper);
  void execute(const executor::JobInfo & job) override;
  void listen(bool on) override;

 private:
  const ::rclcpp::ClientBase::WeakPtr client_;
  MiddlewareListener<rcl_client_t, rcl_client_set_on_new_response_callback> outside_;
};

}  // namespace takt::rclcpp
