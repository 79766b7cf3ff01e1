// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "queued_entity.hpp"

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
      outside_(service->get_service_handle()) {}

void ServiceEntity::execute(const executor::JobInfo &) {
  const auto service = service_.lock();
  if (service == nullptr) return keeper_->look_again();
  Run::execute_service(service);
}

void ServiceEntity::listen(bool on) {
  if (!on) return outside_.stop();
  const auto arrived = [](const void * self, std::size_t count) {
    static_cast<ServiceEntity *>(const_cast<void *>(self))->released(count);
  };
  outside_.start(arrived, this, id());
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
      outside_(client->get_client_handle()) {}

void ClientEntity::execute(const executor::JobInfo &) {
  const auto client = client_.lock();
  if (client == nullptr) return keeper_->look_again();
  Run::execute_client(client);
}

void ClientEntity::listen(bool on) {
  if (!on) return outside_.stop();
  const auto arrived = [](const void * self, std::size_t count) {
    static_cast<ClientEntity *>(const_cast<void *>(self))->released(count);
  };
  outside_.start(arrived, this, id());
}

}  // namespace takt::rclcpp
