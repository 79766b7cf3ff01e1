// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "subscription_entity.hpp"

#include <tracetools/tracetools.h>

#include <algorithm>
#include <mutex>
#include <utility>

#include "takt_core/os/clock.hpp"
#include "takt_core/tasks/error.hpp"

namespace takt::rclcpp {
namespace {

/// Where the middleware keeps all messages, jobs for so many of them wait at once; more are released
/// when those have run.
constexpr std::size_t longest_queue = 1000;

model::Task task_of(const NodeView & node,
                    const ::rclcpp::SubscriptionBase::SharedPtr & subscription,
                    const TaskOptions & options) {
  model::Task task = make_task(node.short_name(subscription->get_topic_name()),
                               model::TaskKind::subscription, options);
  const auto qos = subscription->get_actual_qos();
  const bool keeps_all = qos.history() == ::rclcpp::HistoryPolicy::KeepAll;
  const std::size_t depth = keeps_all ? longest_queue : std::max<std::size_t>(qos.depth(), 1);
  const bool inside = subscription->get_intra_process_waitable() != nullptr;
  task.queue = static_cast<std::uint32_t>(std::min((inside ? 2 : 1) * depth, longest_queue));
  return task;
}

void subtract(std::atomic<std::size_t> & from, std::size_t count) noexcept {
  std::size_t old = from.load(std::memory_order_relaxed);
  while (!from.compare_exchange_weak(old, old - std::min(old, count), std::memory_order_relaxed)) {
  }
}

bool same(const std::weak_ptr<tasks::Callback> & a,
          const std::weak_ptr<tasks::Callback> & b) noexcept {
  return !a.owner_before(b) && !b.owner_before(a);
}

}  // namespace

SubscriptionEntity::SubscriptionEntity(const std::shared_ptr<NodeView> & node,
                                       const ::rclcpp::SubscriptionBase::SharedPtr & subscription,
                                       CallbackGroup::SharedPtr group, const TaskOptions & options,
                                       std::shared_ptr<Keeper> keeper)
    : Entity(node, task_of(*node, subscription, options), std::move(group), options,
             std::move(keeper)),
      subscription_(subscription),
      intra_process_(subscription->get_intra_process_waitable()),
      topic_(subscription->get_topic_name()),
      listener_(subscription->get_subscription_handle()) {
  set_triggers();
}

// ---- readers ------------------------------------------------------------------------------------

void SubscriptionEntity::set_triggers() {
  triggers_.store(options_.triggers.value_or(readers_.empty()));
}

void SubscriptionEntity::add_reader(const std::weak_ptr<tasks::Callback> & reader) {
  {
    const std::lock_guard lock(mutex_);
    readers_.push_back(reader);
    set_triggers();
  }
  changed();
}

void SubscriptionEntity::remove_reader(const std::weak_ptr<tasks::Callback> & reader) {
  {
    const std::lock_guard lock(mutex_);
    std::erase_if(readers_,
                  [&reader](const auto & other) { return other.expired() || same(other, reader); });
    set_triggers();
  }
  changed();
}

void SubscriptionEntity::watch_age() {
  if (watched_.exchange(true)) return;
  changed();
}

bool SubscriptionEntity::is_task() const noexcept {
  return triggers() || watched_.load(std::memory_order_relaxed);
}

model::Task SubscriptionEntity::task() const {
  std::vector<model::Task> readers;
  for (const auto & callback : node().callbacks()) {
    if (callback->reads(topic_)) readers.push_back(callback->task());
  }
  return task_read_by(readers);
}

model::Task SubscriptionEntity::task_read_by(const std::vector<model::Task> & readers) const {
  return tasks::read_by(task_, readers, options_.priority.has_value(),
                        options_.deadline.has_value());
}

// ---- messages -----------------------------------------------------------------------------------

void SubscriptionEntity::arrived_inside(std::size_t count) noexcept {
  if (watched_.load(std::memory_order_relaxed)) newest_->published(os::now());
  inside_.fetch_add(count, std::memory_order_release);
  if (triggers()) release(count);
}

void SubscriptionEntity::arrived_outside(std::size_t count) noexcept {
  if (watched_.load(std::memory_order_relaxed)) source_clock_.look(tasks::read_clocks());
  outside_.fetch_add(count, std::memory_order_release);
  if (is_task()) release(count);
}

void SubscriptionEntity::release(std::size_t count) noexcept {
  released(std::min<std::size_t>(count, std::size_t{task_.queue} + 1));
}

bool SubscriptionEntity::deliver_inside() {
  const auto waitable = intra_process_.lock();
  if (waitable == nullptr) return false;
  const auto data = waitable->take_data();
  if (data == nullptr) return false;
  waitable->execute(data);
  return true;
}

void SubscriptionEntity::deliver_outside(
    const ::rclcpp::SubscriptionBase::SharedPtr & subscription) {
  if (subscription->get_delivered_message_kind() != ::rclcpp::DeliveredMessageKind::ROS_MESSAGE ||
      subscription->can_loan_messages()) {
    Run::execute_subscription(subscription);
    if (watched_.load(std::memory_order_relaxed)) newest_->published(os::now());
    return;
  }
  std::shared_ptr<void> message = subscription->create_message();
  ::rclcpp::MessageInfo info;
  info.get_rmw_message_info().from_intra_process = false;
  bool taken = false;
  {
    const executor::Processor::Section section;
    taken = subscription->take_type_erased(message.get(), info);
  }
  if (taken) {
    subscription->handle_message(message, info);
    if (watched_.load(std::memory_order_relaxed)) {
      newest_->published(source_clock_.published(info.get_rmw_message_info().source_timestamp,
                                                 tasks::read_clocks()));
    }
  }
  subscription->return_message(message);
}

bool SubscriptionEntity::deliver_one(const ::rclcpp::SubscriptionBase::SharedPtr & subscription) {
  if (inside_.load(std::memory_order_acquire) > 0) {
    subtract(inside_, 1);
    if (deliver_inside()) return true;
    // Those that were told of have made room for others.
    inside_.store(0, std::memory_order_relaxed);
  }
  if (outside_.load(std::memory_order_acquire) == 0) return false;
  subtract(outside_, 1);
  TRACETOOLS_TRACEPOINT(rclcpp_executor_execute,
                        static_cast<const void *>(subscription->get_subscription_handle().get()));
  deliver_outside(subscription);
  return true;
}

void SubscriptionEntity::deliver_present() {
  const auto subscription = subscription_.lock();
  if (subscription == nullptr) return;
  // What comes meanwhile is for the next job.
  for (std::size_t present = waiting(); present > 0 && deliver_one(subscription); --present) {
  }
}

void SubscriptionEntity::execute(const executor::JobInfo &) {
  const auto subscription = subscription_.lock();
  if (subscription == nullptr) return keeper_->look_again();
  if (!triggers()) return deliver_present();
  deliver_one(subscription);
  // Releases were shed where more had come than jobs may wait.
  if (waiting() >= task_.queue) release(1);
}

void SubscriptionEntity::listen(bool on) {
  const auto inside = intra_process_.lock();
  if (!on) {
    listener_.stop();
    if (inside != nullptr) inside->clear_on_ready_callback();
    return;
  }
  const auto arrived = [](const void * self, std::size_t count) {
    static_cast<SubscriptionEntity *>(const_cast<void *>(self))->arrived_outside(count);
  };
  listener_.start(arrived, this, id());
  if (inside == nullptr) return;
  const auto weak = std::weak_ptr(std::static_pointer_cast<SubscriptionEntity>(shared_from_this()));
  inside->set_on_ready_callback([weak](std::size_t count, int) {
    if (const auto self = weak.lock()) self->arrived_inside(count);
  });
}

}  // namespace takt::rclcpp
