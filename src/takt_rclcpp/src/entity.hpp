// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rcl/types.h>

#include <atomic>
#include <cstddef>
#include <memory>
#include <string>

#include "glance.hpp"
#include "node_view.hpp"
#include "takt_core/os/lock.hpp"
#include "takt_core/tasks/callback.hpp"
#include "takt_rclcpp/task_options.hpp"

namespace takt::rclcpp {

/// What entities tell whoever looks after them; lives as long as they.
class EntityWatcher {
 public:
  explicit EntityWatcher(const ::rclcpp::Context::SharedPtr & context) : glance(context) {}
  virtual ~EntityWatcher() = default;
  /// An entity of rclcpp has gone. Any thread; neither blocks nor allocates.
  virtual void look_again() noexcept = 0;
  /// The set of those that a wait set waits for has changed. Any thread.
  virtual void wait_again() noexcept = 0;
  /// While the executor schedules, entities listen.
  std::atomic<bool> listening = false;
  /// For entities that begin to listen.
  Glance glance;
};

/// An entity of rclcpp as a task: what timers, subscriptions, services, clients and waitables have in
/// common. It knows the entity weakly, as rclcpp's executors do.
class Entity : public tasks::Callback {
 public:
  Entity(std::shared_ptr<NodeView> node, model::Task task, CallbackGroup::SharedPtr group,
         const TaskOptions & options, std::shared_ptr<EntityWatcher> watcher)
      : tasks::Callback(std::move(node), std::move(task), std::move(group),
                        {options.processor, options.wcet}),
        options_(options),
        watcher_(std::move(watcher)) {}

  const TaskOptions & options() const noexcept { return options_; }
  /// Whether it can tell of what comes itself; else a wait set waits for it.
  virtual bool listens() const noexcept { return true; }

  /// No effect once it has ended, nor while its executor does not listen.
  void listen(bool on) final;
  /// Its executor lets it go: from now on it neither listens nor runs, though a job that runs
  /// finishes, and the entity is free for another executor. For good. Any thread; waits for no job.
  void end() noexcept;
  bool ended() const noexcept { return ended_.load(std::memory_order_relaxed); }

  void execute(const executor::JobInfo & job) final;
  executor::Footprint footprint() const noexcept override;
  /// The task of the same entity is made anew, with other options: this one listens in place of the
  /// old, without a gap, and what has come and was not taken goes on. `old` is of the same type and
  /// runs no job; it has ended then. Set-up, before it is listed.
  void take_over(Entity & old);

 protected:
  // One of them at a time, under a lock; no executor may be called, which could wait for jobs.
  virtual void start_listening() = 0;
  virtual void stop_listening() noexcept = 0;
  /// Another entity's task listens in its place already.
  virtual void give_up_listening() noexcept {}
  /// After start_listening(), where that is no matter.
  virtual void listening_began() {}
  /// It has begun to listen: what lies there and was announced to another one, or to nobody, is to be
  /// looked for, too, by a job.
  virtual void look() {}
  /// What has come to the old one, of the same type, and was not taken is its own from now on.
  virtual void continue_from(const Entity & /*old*/) {}
  virtual void run_job(const executor::JobInfo & job) = 0;
  /// Whether rclcpp's object is no more.
  virtual bool gone() const noexcept = 0;
  /// The jobs that what has come to it needs; some may be released already. Any thread.
  virtual std::size_t jobs() const noexcept { return 0; }
  /// Whether it needs one more than those that were released, asked at the end of each.
  virtual bool claim_job() noexcept { return false; }
  /// A job for each of so many that have come, as far as jobs may wait; for more when those have run.
  void release(std::size_t count) noexcept;

  const TaskOptions options_;
  const std::shared_ptr<EntityWatcher> watcher_;

 private:
  os::Mutex listening_{os::LockRank::listening};
  std::atomic<bool> ended_ = false;
};

/// Throws what rclcpp throws for it, with `what` before.
void check(rcl_ret_t code, const std::string & what);

/// The task of an entity: what its options say. Throws Error for what does not fit to its kind.
model::Task make_task(const std::string & name, model::TaskKind kind, const TaskOptions & options);
/// Of what has no depth of its own: jobs for a hundred wait at once.
model::Task make_queued_task(const std::string & name, model::TaskKind kind,
                             const TaskOptions & options);

}  // namespace takt::rclcpp
