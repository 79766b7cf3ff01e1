// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rclcpp/subscription_base.hpp>

#include <atomic>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "entity.hpp"
#include "middleware_listener.hpp"
#include "takt_core/executor/entity.hpp"
#include "takt_core/os/lock.hpp"
#include "takt_core/os/pi_mutex.hpp"
#include "takt_core/tasks/arrivals.hpp"
#include "takt_core/tasks/source_clock.hpp"

namespace takt::rclcpp {

/// A subscription, with its messages from outside the process and, if it uses intra-process communication,
/// those of rclcpp's intra-process manager, whose waitable is not a separate task. A job of the
/// subscription delivers one message; a job of a timer that reads it delivers all that are present.
class SubscriptionEntity : public Entity {
 public:
  SubscriptionEntity(const std::shared_ptr<NodeView> & node,
                     const ::rclcpp::SubscriptionBase::SharedPtr & subscription,
                     CallbackGroup::SharedPtr group, const TaskOptions & options,
                     std::shared_ptr<EntityWatcher> watcher);

  // ---- for timers that read the subscription; the first two are for set-up
  void add_reader(const std::weak_ptr<tasks::Callback> & reader);
  void remove_reader(const std::weak_ptr<tasks::Callback> & reader);
  /// Delivers the messages that are present, on a thread of the executor.
  void deliver_present();

  // ---- Callback
  model::Task task() const override;
  model::Task task_read_by(const std::vector<model::Task> & readers) const override;
  bool is_task() const noexcept override;
  const std::string & topic() const noexcept override { return topic_; }
  const Topics * topics_published() const noexcept override;
  void watch_age() override;
  std::shared_ptr<model::Newest> newest() const override { return newest_; }

 protected:
  void start_listening() override;
  void stop_listening() noexcept override;
  void give_up_listening() noexcept override;
  void look() override;
  void continue_from(const Entity & old) override;
  void run_job(const executor::JobInfo & job) override;
  bool gone() const noexcept override { return subscription_.expired(); }

 private:
  bool triggers() const noexcept { return triggers_.load(std::memory_order_relaxed); }
  void set_triggers() TAKT_REQUIRES(mutex_);
  void arrived_inside(std::size_t count) noexcept;
  void arrived_outside(std::size_t count) noexcept;
  /// Calls `deliver` for each source, inside and outside, with a function that takes from it.
  template <typename DeliverT>
  void with_sources(const DeliverT & deliver);
  std::size_t jobs() const noexcept override {
    if (triggers()) return inside_.jobs() + outside_.jobs();
    return is_task() && outside_.any() ? 1 : 0;
  }
  bool claim_job() noexcept override;

  const ::rclcpp::SubscriptionBase::WeakPtr subscription_;
  const ::rclcpp::Waitable::WeakPtr intra_process_;
  const std::string topic_;
  executor::Entity used_{topic_};
  tasks::Arrivals inside_;
  tasks::Arrivals outside_;
  std::atomic<bool> triggers_ = true;
  std::atomic<bool> watched_ = false;
  const std::shared_ptr<model::Newest> newest_ = std::make_shared<model::Newest>();
  tasks::SourceClock source_clock_;
  mutable os::PiMutex mutex_{os::LockRank::entity_data};
  std::vector<std::weak_ptr<tasks::Callback>> readers_ TAKT_GUARDED_BY(mutex_);
  // The last member, so that notifications end before the members that they use are destroyed.
  MiddlewareListener<rcl_subscription_t, rcl_subscription_set_on_new_message_callback> listener_;
};

}  // namespace takt::rclcpp
