// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rclcpp/timer.hpp>

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "entity.hpp"
#include "takt_core/os/lock.hpp"
#include "takt_core/os/pi_mutex.hpp"

namespace takt::rclcpp {

/// A timer. Its releases lie where rclcpp's timer has them, by reset() too; with a phase, on the
/// executor's grid. On simulated time it is released by tick().
class TimerEntity : public Entity {
 public:
  /// `reads`: entities of the subscriptions in `options`.
  TimerEntity(std::shared_ptr<NodeView> node, const ::rclcpp::TimerBase::SharedPtr & timer,
              CallbackGroup::SharedPtr group, const TaskOptions & options,
              std::shared_ptr<EntityWatcher> watcher);

  /// What it is under these options. Throws Error.
  static model::Task task_of(const ::rclcpp::TimerBase::SharedPtr & timer,
                             const TaskOptions & options);
  /// In whole units where there are: `timer:20ms`.
  static std::string name_of(const ::rclcpp::TimerBase::SharedPtr & timer);

  /// Set-up: what its jobs read from now on.
  void set_reads(const std::vector<tasks::TopicRead> & reads);

  // ---- of a timer that is not steady
  bool follows_ros_time() const noexcept { return clock_ != nullptr; }
  ::rclcpp::TimerBase::SharedPtr timer() const { return timer_.lock(); }
  /// Simulated time has moved: releases it if it is due. Any thread.
  void tick();
  /// Whether the clock has begun to be simulated, or ceased: then the task is made anew.
  void look_at_clock();

  // ---- Callback
  bool numbered() const noexcept override { return true; }
  bool may_have_phase() const noexcept override { return clock_ == nullptr; }
  model::Task task() const override;
  model::Time next_release() const noexcept override;
  model::Time last_reset() const noexcept override { return reset_at_; }
  bool reads(const std::string & topic) const noexcept override;
  std::vector<tasks::TopicRead> topics_read() const override;
  bool bounds_age() const noexcept override;
  const Topics * topics_published() const noexcept override { return &options_.publishes; }
  bool extra_releases() const noexcept override { return options_.extra_releases; }
  executor::Footprint footprint() const noexcept override;
  void detach() override;

 protected:
  void start_listening() override;
  void stop_listening() noexcept override;
  void listening_began() override;
  void continue_from(const Entity & old) override;
  void run_job(const executor::JobInfo & job) override;
  bool gone() const noexcept override { return timer_.expired(); }

 private:
  bool is_simulated() const noexcept;
  /// Its period is too short for a grid: a job's end releases the next.
  bool always() const noexcept { return task_.kind == model::TaskKind::other; }
  /// When rcl would call it next; model::never: it would not.
  model::Time next_call() const noexcept;
  /// Its releases begin, or begin anew.
  void begin() noexcept;
  void was_reset() noexcept;
  /// A job has found it so, or left it so.
  void was_canceled(::rclcpp::TimerBase & timer) noexcept;
  /// rcl has one call in each of its own periods; a job that comes between two of them is none.
  bool lies_between(const executor::JobInfo & job) const noexcept;
  void was_called(const executor::JobInfo & job) noexcept;
  /// Of one on another clock: whether its time has come, as far as the steady clock can tell.
  bool heeds_clock(::rclcpp::TimerBase & timer);
  /// When a job was due and began, on the timer's clock.
  rcl_timer_call_info_t call_of(const executor::JobInfo & job) const noexcept;
  void run(const ::rclcpp::TimerBase::SharedPtr & timer, const std::shared_ptr<void> & data);

  const ::rclcpp::TimerBase::WeakPtr timer_;
  const void * const handle_;      // rcl's, to tell who runs
  rcl_clock_t * clock_ = nullptr;  // the timer's, if it is not steady
  std::atomic<bool> listening_ = false;
  std::atomic<bool> simulated_ = false;
  std::atomic<model::Time> told_at_ = -model::never;   // on simulated time: that it is due
  std::atomic<model::Time> reset_at_ = -model::never;  // the last time
  // What was released before is of before a reset.
  std::atomic<model::Time> valid_from_ = -model::never;
  std::atomic<model::Time> called_ = 0;  // the last point that a call of rcl's stands for
  using Reads = std::shared_ptr<const std::vector<tasks::TopicRead>>;
  Reads current_reads() const noexcept;
  std::atomic<bool> any_reads_ = false;
  mutable os::PiMutex mutex_{os::LockRank::entity_data};
  Reads reads_ TAKT_GUARDED_BY(mutex_) = std::make_shared<std::vector<tasks::TopicRead>>();
};

}  // namespace takt::rclcpp
