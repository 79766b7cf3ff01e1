// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rcl/types.h>

#include <atomic>
#include <cstddef>
#include <memory>
#include <string>

#include "item_poll.hpp"
#include "node_view.hpp"
#include "takt_core/os/lock.hpp"
#include "takt_core/tasks/callback.hpp"
#include "takt_rclcpp/task_options.hpp"

namespace takt::rclcpp {

/// Receives notifications of entities. Exists as long as they do.
class EntityWatcher {
 public:
  explicit EntityWatcher(const ::rclcpp::Context::SharedPtr & context) : item_poll(context) {}
  virtual ~EntityWatcher() = default;
  /// An rclcpp entity has been destroyed. Any thread; neither blocks nor allocates.
  virtual void look_again() noexcept = 0;
  /// The set of entities to be waited for with a wait set has changed. Any thread.
  virtual void wait_again() noexcept = 0;
  /// Whether entities are notified of new items: true while the executor schedules.
  std::atomic<bool> listening = false;
  /// Used by entities that begin to be notified, to find items that arrived before.
  ItemPoll item_poll;
};

/// An rclcpp entity as a task; the base class for timers, subscriptions, services, clients and waitables.
/// It holds a weak pointer to the entity, as rclcpp's executors do.
class Entity : public tasks::Callback {
 public:
  Entity(std::shared_ptr<NodeView> node, model::Task task, CallbackGroup::SharedPtr group,
         const TaskOptions & options, std::shared_ptr<EntityWatcher> watcher)
      : tasks::Callback(std::move(node), std::move(task), std::move(group),
                        {options.processor, options.wcet}),
        options_(options),
        watcher_(std::move(watcher)) {}

  const TaskOptions & options() const noexcept { return options_; }
  /// Returns whether the entity is notified of new items; if not, a wait set must wait for it.
  virtual bool listens() const noexcept { return true; }

  /// Begins or ceases to be notified. No effect after end(), or while the executor does not schedule.
  void listen(bool on) final;
  /// Detaches the entity from its executor for good: it is not notified and starts no job any more, and
  /// another executor may take it. A running job finishes. Any thread; does not wait for jobs.
  void end() noexcept;
  bool ended() const noexcept { return ended_.load(std::memory_order_relaxed); }

  void execute(const executor::JobInfo & job) final;
  executor::Footprint footprint() const noexcept override;
  /// Continues a task of the same entity that had other options. This task is notified in place of `old`,
  /// without a gap, and takes over the items that were announced and not taken. `old` must be of the same
  /// type and run no job; it has ended afterwards. For set-up, before this task is listed.
  void take_over(Entity & old);

 protected:
  // The first three are called one at a time, with a mutex held. They must not call the executor, which
  // could wait for jobs.
  virtual void start_listening() = 0;
  virtual void stop_listening() noexcept = 0;
  /// Called instead of stop_listening() if a successor is notified already.
  virtual void give_up_listening() noexcept {}
  /// Called after start_listening(), without the mutex.
  virtual void listening_began() {}
  /// Called when notifications have begun: releases a job if the middleware holds items that were
  /// announced to another executor, or not announced.
  virtual void look() {}
  /// Takes over the items that were announced to `old`, of the same type, and have not been taken.
  virtual void continue_from(const Entity & /*old*/) {}
  virtual void run_job(const executor::JobInfo & job) = 0;
  /// Returns whether the rclcpp object has been destroyed.
  virtual bool gone() const noexcept = 0;
  /// The number of jobs needed for the announced items; some may have been released. Any thread.
  virtual std::size_t jobs() const noexcept { return 0; }
  /// Called at the end of each job: returns whether another one must be released.
  virtual bool claim_job() noexcept { return false; }
  /// Releases a job for each of `count` items, as many as may be pending; further ones when those have
  /// run.
  void release(std::size_t count) noexcept;

  const TaskOptions options_;
  const std::shared_ptr<EntityWatcher> watcher_;

 private:
  os::Mutex listening_{os::LockRank::listening};
  std::atomic<bool> ended_ = false;
};

/// Throws rclcpp's exception for an rcl return code that is an error, with `what` before its text.
void check(rcl_ret_t code, const std::string & what);

/// Returns the task of an entity with these options. Throws Error for an option that does not apply to the
/// kind of entity, or is out of range.
model::Task make_task(const std::string & name, model::TaskKind kind, const TaskOptions & options);
/// The same for entities without a queue depth: up to 100 jobs may be pending.
model::Task make_queued_task(const std::string & name, model::TaskKind kind,
                             const TaskOptions & options);

}  // namespace takt::rclcpp
