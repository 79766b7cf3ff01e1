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
      service_(service) {}

void ServiceEntity::execute(const executor::JobInfo &) {
  const auto service = service_.lock();
  if (service == nullptr) return keeper_->look_again();
  Run::execute_service(service);
}

void ServiceEntity::listen(bool on) {
  const auto service = service_.lock();
  if (service == nullptr) return;
  if (!on) return service->clear_on_new_request_callback();
  service->set_on_new_request_callback(
      [weak = std::weak_ptr(std::static_pointer_cast<ServiceEntity>(shared_from_this()))](
          std::size_t count) {
        if (const auto self = weak.lock()) self->released(count);
      });
}

ClientEntity::ClientEntity(const std::shared_ptr<NodeView> & node,
                           const ::rclcpp::ClientBase::SharedPtr & client,
                           CallbackGroup::SharedPtr group, const TaskOptions & options,
                           std::shared_ptr<Keeper> keeper)
    : Entity(
          node,
          task_of(node->short_name(client->get_service_name()), model::TaskKind::client, options),
          std::move(group), options, std::move(keeper)),
      client_(client) {}

void ClientEntity::execute(const executor::JobInfo &) {
  const auto client = client_.lock();
  if (client == nullptr) return keeper_->look_again();
  Run::execute_client(client);
}

void ClientEntity::listen(bool on) {
  const auto client = client_.lock();
  if (client == nullptr) return;
  if (!on) return client->clear_on_new_response_callback();
  client->set_on_new_response_callback([weak = std::weak_ptr(std::static_pointer_cast<ClientEntity>(
                                            shared_from_this()))](std::size_t count) {
    if (const auto self = weak.lock()) self->released(count);
  });
}

}  // namespace takt::rclcpp
