// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_rclcpp/scheduling_executor.hpp"

#include <rmw/rmw.h>

#include <algorithm>
#include <limits>
#include <rclcpp/logging.hpp>
#include <stdexcept>
#include <utility>

#include "executor_impl.hpp"
#include "takt_core/os/clock.hpp"
#include "takt_core/tasks/current_job.hpp"
#include "takt_core/tasks/error.hpp"
#include "takt_core/tasks/middlewares.hpp"
#include "takt_core/tasks/task_registry.hpp"

namespace takt::rclcpp {

SchedulingExecutor::SchedulingExecutor(const ::rclcpp::ExecutorOptions & options,
                                       const SchedulingOptions & scheduling)
    : ::rclcpp::Executor(options),
      SchedulingControls(std::make_shared<tasks::TaskRegistry>(tasks::executor_options(scheduling),
                                                               scheduling.cpus)),
      impl_(std::make_unique<Impl>(*this, scheduling)) {
  const std::string line = tasks::warn_once_of_untried(rmw_get_implementation_identifier());
  if (!line.empty()) RCLCPP_WARN(::rclcpp::get_logger("takt"), "%s", line.c_str());
}

SchedulingExecutor::~SchedulingExecutor() {
  impl_->end();
  impl_.reset();
  registry_->close();
}

void SchedulingExecutor::spin() {
  impl_->spin();
}

void SchedulingExecutor::cancel() {
  // rclcpp's cancel() would clear the spinning flag at once, although jobs still run to their end.
  if (!impl_->cancel()) ::rclcpp::Executor::cancel();
}

::rclcpp::FutureReturnCode SchedulingExecutor::spin_until_future_complete_impl(
    std::chrono::nanoseconds timeout,
    const std::function<std::future_status(std::chrono::nanoseconds wait_time)> & wait_for_future) {
  const bool ready = wait_for_future(std::chrono::nanoseconds::zero()) == std::future_status::ready;
  if (!ready && current_job() != nullptr && spinning.load()) {
    throw Error(takt::detail::self_wait_error);
  }
  return ::rclcpp::Executor::spin_until_future_complete_impl(timeout, wait_for_future);
}

void SchedulingExecutor::spin_some(std::chrono::nanoseconds max_duration) {
  impl_->collect();
  ::rclcpp::Executor::spin_some(max_duration);
}

void SchedulingExecutor::spin_all(std::chrono::nanoseconds max_duration) {
  impl_->collect();
  ::rclcpp::Executor::spin_all(max_duration);
}

void SchedulingExecutor::spin_once(std::chrono::nanoseconds timeout) {
  impl_->collect();
  ::rclcpp::Executor::spin_once(timeout);
}

void SchedulingExecutor::add_node(Base::Node node, bool notify) {
  impl_->nodes().add(node);
  ::rclcpp::Executor::add_node(node, notify);
  impl_->look_again();
}

void SchedulingExecutor::add_callback_group(Base::Group group, Base::Node node, bool notify) {
  impl_->nodes().add(group, node);
  ::rclcpp::Executor::add_callback_group(group, node, notify);
  impl_->look_again();
}

void SchedulingExecutor::remove_node(Base::Node node, bool notify) {
  ::rclcpp::Executor::remove_node(node, notify);
  impl_->end_departed();
}

void SchedulingExecutor::remove_callback_group(Base::Group group, bool notify) {
  ::rclcpp::Executor::remove_callback_group(group, notify);
  impl_->end_departed();
}

void SchedulingExecutor::finish_removals() {
  finish_removals(std::chrono::nanoseconds::max());
}

std::vector<std::string> SchedulingExecutor::finish_removals(
    std::chrono::nanoseconds limit,
    const ::rclcpp::node_interfaces::NodeBaseInterface::SharedPtr & node) {
  if (current_job() != nullptr) return {};
  const os::Time now = os::now();
  const os::Time longest = std::numeric_limits<os::Time>::max() - now;
  return impl_->finish_removals(node, now + std::min<os::Time>(limit.count(), longest));
}

void SchedulingExecutor::set_scheduling_strategy(const SchedulingStrategy::SharedPtr & strategy) {
  if (current_job() != nullptr || executor::Processor::NonblockingRemoval::active()) {
    return impl_->post_change([this, strategy] { set_scheduling_strategy(strategy); });
  }
  impl_->set_strategy(strategy, [&] { SchedulingControls::set_scheduling_strategy(strategy); });
}

std::vector<std::pair<executor::TaskId, std::string>> SchedulingExecutor::tasks() const {
  impl_->update_tasks();
  return SchedulingControls::tasks();
}

std::string SchedulingExecutor::task_name(const std::shared_ptr<const void> & entity) const {
  impl_->update_tasks();
  return impl_->entities().name_of(entity);
}

// ---- tasks --------------------------------------------------------------------------------------

namespace {

template <typename EntityT>
void demand(const std::shared_ptr<EntityT> & entity) {
  if (entity == nullptr) throw Error("cannot set the task of an entity: it is nullptr");
}

}  // namespace

void SchedulingExecutor::set_task(const ::rclcpp::TimerBase::SharedPtr & timer,
                                  const TaskOptions & options) {
  demand(timer);
  impl_->set_task(timer, TimerEntity::task_of(timer, options), options);
}

void SchedulingExecutor::set_task(const ::rclcpp::SubscriptionBase::SharedPtr & subscription,
                                  const TaskOptions & options) {
  demand(subscription);
  impl_->set_task(subscription,
                  make_task(subscription->get_topic_name(), model::TaskKind::subscription, options),
                  options);
}

void SchedulingExecutor::set_task(const ::rclcpp::ServiceBase::SharedPtr & service,
                                  const TaskOptions & options) {
  demand(service);
  impl_->set_task(
      service, make_task(service->get_service_name(), model::TaskKind::service, options), options);
}

void SchedulingExecutor::set_task(const ::rclcpp::ClientBase::SharedPtr & client,
                                  const TaskOptions & options) {
  demand(client);
  impl_->set_task(client, make_task(client->get_service_name(), model::TaskKind::client, options),
                  options);
}

void SchedulingExecutor::set_task(const ::rclcpp::Waitable::SharedPtr & waitable,
                                  const TaskOptions & options) {
  demand(waitable);
  impl_->set_task(waitable, make_task("waitable", model::TaskKind::other, options), options);
}

}  // namespace takt::rclcpp
