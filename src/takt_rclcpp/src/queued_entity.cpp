// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "queued_entity.hpp"

#include <rcl/client.h>
#include <rcl/error_handling.h>
#include <rcl/service.h>

#include <algorithm>
#include <utility>

namespace takt::rclcpp {
namespace {

/// As many jobs may wait as rclcpp's QoS for services keeps requests, at least.
constexpr std::uint32_t waiting_jobs = 100;

model::Task task_of(const std::string & name, model::TaskKind kind, const TaskOptions & options) {
  model::Task task = make_task(name, kind, options);
  task.queue = waiting_jobs;
  return task;
}

}  // namespace

ServiceEntity::ServiceEntity(const std::shared_ptr<NodeView> & node,
                             const ::rclcpp::ServiceBase::SharedPtr & service,
                             CallbackGroup::SharedPtr group, const TaskOptions & options,
                             std::shared_ptr<Keeper> keeper)
    : Entity(
          node,
          task_of(node->short_name(service->get_service_name()), model::TaskKind::service, options),
          std::move(group), options, std::move(keeper)),
      service_(service),
      handle_(service->get_service_handle()) {}

void ServiceEntity::execute(const executor::JobInfo &) {
  const auto service = service_.lock();
  if (service == nullptr) return keeper_->look_again();
  Run::execute_service(service);
}

void ServiceEntity::stop_listening() noexcept {
  const auto handle = handle_.lock();
  if (handle == nullptr) return;
  if (rcl_service_set_on_new_request_callback(handle.get(), nullptr, nullptr) != RCL_RET_OK) {
    rcl_reset_error();
  }
}

void ServiceEntity::listen(bool on) {
  if (!on) return stop_listening();
  const auto handle = handle_.lock();
  if (handle == nullptr) return;
  const auto arrived = [](const void * self, std::size_t count) {
    static_cast<ServiceEntity *>(const_cast<void *>(self))->released(count);
  };
  check(rcl_service_set_on_new_request_callback(handle.get(), arrived, this), id());
}

ClientEntity::ClientEntity(const std::shared_ptr<NodeView> & node,
                           const ::rclcpp::ClientBase::SharedPtr & client,
                           CallbackGroup::SharedPtr group, const TaskOptions & options,
                           std::shared_ptr<Keeper> keeper)
    : Entity(
          node,
          task_of(node->short_name(client->get_service_name()), model::TaskKind::client, options),
          std::move(group), options, std::move(keeper)),
      client_(client),
      handle_(client->get_client_handle()) {}

void ClientEntity::execute(const executor::JobInfo &) {
  const auto client = client_.lock();
  if (client == nullptr) return keeper_->look_again();
  Run::execute_client(client);
}

void ClientEntity::stop_listening() noexcept {
  const auto handle = handle_.lock();
  if (handle == nullptr) return;
  if (rcl_client_set_on_new_response_callback(handle.get(), nullptr, nullptr) != RCL_RET_OK) {
    rcl_reset_error();
  }
}

void ClientEntity::listen(bool on) {
  if (!on) return stop_listening();
  const auto handle = handle_.lock();
  if (handle == nullptr) return;
  const auto arrived = [](const void * self, std::size_t count) {
    static_cast<ClientEntity *>(const_cast<void *>(self))->released(count);
  };
  check(rcl_client_set_on_new_response_callback(handle.get(), arrived, this), id());
}

}  // namespace takt::rclcpp
