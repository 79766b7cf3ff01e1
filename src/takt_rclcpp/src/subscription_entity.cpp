// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "subscription_entity.hpp"

#include <tracetools/tracetools.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "takes.hpp"
#include "takt_core/os/clock.hpp"
#include "takt_core/tasks/error.hpp"
#include "takt_core/tasks/same_owner.hpp"

namespace takt::rclcpp {
namespace {

/// The largest number of pending jobs if the middleware keeps all messages (KEEP_ALL); further jobs are
/// released when these have run.
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

}  // namespace

SubscriptionEntity::SubscriptionEntity(const std::shared_ptr<NodeView> & node,
                                       const ::rclcpp::SubscriptionBase::SharedPtr & subscription,
                                       CallbackGroup::SharedPtr group, const TaskOptions & options,
                                       std::shared_ptr<EntityWatcher> watcher)
    : Entity(node, task_of(*node, subscription, options), std::move(group), options,
             std::move(watcher)),
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
    const os::Lock lock(mutex_);
    readers_.push_back(reader);
    set_triggers();
  }
  changed();
}

void SubscriptionEntity::remove_reader(const std::weak_ptr<tasks::Callback> & reader) {
  const bool before = triggers();
  {
    const os::Lock lock(mutex_);
    std::erase_if(readers_, [&reader](const auto & other) {
      return other.expired() || tasks::same_owner(other, reader);
    });
    set_triggers();
  }
  // Release jobs for the messages that the timer would have read.
  if (!before && triggers()) release(jobs());
  changed();
}

void SubscriptionEntity::watch_age() {
  if (watched_.exchange(true)) return;
  changed();
}

const Topics * SubscriptionEntity::topics_published() const noexcept {
  // rclcpp gives every node a subscription to parameter events, whose callback publishes nothing.
  const bool own = topic_ == "/parameter_events" && options_.publishes.names().empty();
  return triggers() && !own ? &options_.publishes : nullptr;
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
  inside_.announce(count);
  if (triggers()) release(count);
}

void SubscriptionEntity::arrived_outside(std::size_t count) noexcept {
  if (watched_.load(std::memory_order_relaxed)) source_clock_.look(tasks::read_clocks());
  outside_.announce(count);
  // 0 means an unknown number: rmw_cyclonedds reports it if the history is KEEP_ALL.
  if (is_task()) release(std::max<std::size_t>(count, 1));
}

template <typename DeliverT>
void SubscriptionEntity::with_sources(const DeliverT & deliver) {
  const auto subscription = subscription_.lock();
  if (subscription == nullptr) return watcher_->look_again();
  if (const auto inside = intra_process_.lock()) {
    deliver(inside_, [&inside] { return take_inside(*inside); });
  }
  deliver(outside_, [&] {
    TRACETOOLS_TRACEPOINT(rclcpp_executor_execute,
                          static_cast<const void *>(subscription->get_subscription_handle().get()));
    return take_message(*subscription, used_, [this](std::int64_t source_time) {
      if (!watched_.load(std::memory_order_relaxed)) return;
      newest_->published(source_clock_.published(source_time, tasks::read_clocks()));
    });
  });
}

void SubscriptionEntity::deliver_present() {
  with_sources([](tasks::Arrivals & arrivals, const auto & take) {
    // Messages that arrive from now on are left to the next job.
    arrivals.take(std::numeric_limits<std::size_t>::max(), take);
  });
}

void SubscriptionEntity::run_job(const executor::JobInfo &) {
  if (!triggers()) return deliver_present();
  bool taken = false;
  with_sources([&taken](tasks::Arrivals & arrivals, const auto & take) {
    taken = taken || arrivals.take(1, take) > 0;
  });
}

bool SubscriptionEntity::claim_job() noexcept {
  if (!triggers()) return false;
  const std::size_t queue = task_.queue;
  // The jobs for messages from inside and outside share one queue.
  return inside_.claim_job(queue) || outside_.claim_job(queue - std::min(queue, inside_.jobs()));
}

void SubscriptionEntity::look() {
  const auto subscription = subscription_.lock();
  if (subscription == nullptr) return;
  const bool outside = watcher_->item_poll.has_item(*subscription->get_subscription_handle());
  if (outside) outside_.look();
  const auto waitable = intra_process_.lock();
  const bool inside = waitable != nullptr && watcher_->item_poll.has_inside_item(*waitable);
  if (inside) inside_.look();
  if (triggers()) {
    release((outside ? 1 : 0) + (inside ? 1 : 0));
  } else if (outside && is_task()) {
    release(1);
  }
}

void SubscriptionEntity::continue_from(const Entity & old) {
  const auto & from = static_cast<const SubscriptionEntity &>(old);
  inside_.continue_from(from.inside_);
  outside_.continue_from(from.outside_);
}

void SubscriptionEntity::start_listening() {
  const auto arrived = [](void * self, std::size_t count) {
    static_cast<SubscriptionEntity *>(self)->arrived_outside(count);
  };
  listener_.start(arrived, this, id());
  const auto inside = intra_process_.lock();
  if (inside == nullptr) return;
  const auto weak = std::weak_ptr(std::static_pointer_cast<SubscriptionEntity>(shared_from_this()));
  inside->set_on_ready_callback([weak](std::size_t count, int) {
    if (const auto self = weak.lock()) self->arrived_inside(count);
  });
}

void SubscriptionEntity::give_up_listening() noexcept {
  listener_.give_up();
}

void SubscriptionEntity::stop_listening() noexcept {
  listener_.stop();
  if (const auto inside = intra_process_.lock()) inside->clear_on_ready_callback();
}

}  // namespace takt::rclcpp
