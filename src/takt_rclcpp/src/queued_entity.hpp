// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rclcpp/client.hpp>
#include <rclcpp/service.hpp>

#include <memory>

#include "entity.hpp"

namespace takt::rclcpp {

/// A service: a job for each request.
class ServiceEntity : public Entity {
 public:
  ServiceEntity(const std::shared_ptr<NodeView> & node,
                const ::rclcpp::ServiceBase::SharedPtr & service, CallbackGroup::SharedPtr group,
                const TaskOptions & options, std::shared_ptr<Keeper> keeper);
  ~ServiceEntity() override { stop_listening(); }
  void execute(const executor::JobInfo & job) override;
  void listen(bool on) override;

 private:
  void stop_listening() noexcept;

  const ::rclcpp::ServiceBase::WeakPtr service_;
  const std::weak_ptr<rcl_service_t> handle_;
};

/// A client: a job for each response.
class ClientEntity : public Entity {
 public:
  ClientEntity(const std::shared_ptr<NodeView> & node,
               const ::rclcpp::ClientBase::SharedPtr & client, CallbackGroup::SharedPtr group,
               const TaskOptions & options, std::shared_ptr<Keeper> keeper);
  ~ClientEntity() override { stop_listening(); }
  void execute(const executor::JobInfo & job) override;
  void listen(bool on) override;

 private:
  void stop_listening() noexcept;

  const ::rclcpp::ClientBase::WeakPtr client_;
  const std::weak_ptr<rcl_client_t> handle_;
};

}  // namespace takt::rclcpp
