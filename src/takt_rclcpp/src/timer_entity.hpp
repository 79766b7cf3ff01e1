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

/// A timer. Its releases are those of the rclcpp timer, also after reset(); with a phase, they lie on the
/// executor's grid. On simulated time it is released by tick().
class TimerEntity : public Entity {
 public:
  TimerEntity(std::shared_ptr<NodeView> node, const ::rclcpp::TimerBase::SharedPtr & timer,
              CallbackGroup::SharedPtr group, const TaskOptions & options,
              std::shared_ptr<EntityWatcher> watcher);

  /// Returns the timer's task with these options. Throws Error for options that do not apply.
  static model::Task task_of(const ::rclcpp::TimerBase::SharedPtr & timer,
                             const TaskOptions & options);
  /// Returns the timer's name, with the period in the largest unit in which it is a whole number:
  /// `timer:20ms`.
  static std::string name_of(const ::rclcpp::TimerBase::SharedPtr & timer);

  /// Sets what the timer's jobs read. For set-up. Throws Error.
  void set_reads(const std::vector<tasks::TopicRead> & reads);

  // ---- for a timer that is not on steady time
  bool follows_ros_time() const noexcept { return clock_ != nullptr; }
  ::rclcpp::TimerBase::SharedPtr timer() const { return timer_.lock(); }
  /// Called when simulated time has changed: releases the timer if it is due. Any thread.
  void tick();
  /// Checks whether the clock has begun or ceased to be simulated, and updates the task if so.
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
  /// Returns whether the period is too short for a grid, so that the end of a job releases the next one.
  bool always() const noexcept { return task_.kind == model::TaskKind::other; }
  /// The instant at which rcl would call the timer next; model::never if it would not.
  model::Time next_call() const noexcept;
  /// Begins the timer's releases, or begins them anew.
  void begin() noexcept;
  void was_reset() noexcept;
  /// Called when a job finds the timer canceled, or leaves it so.
  void was_canceled(::rclcpp::TimerBase & timer) noexcept;
  /// Returns whether a job comes between two calls of rcl, which has one call in each of its periods; such
  /// a job does not call the timer.
  bool lies_between(const executor::JobInfo & job) const noexcept;
  void was_called(const executor::JobInfo & job) noexcept;
  /// For a timer that is not on steady time: returns whether it is due by its own clock, too.
  bool heeds_clock(::rclcpp::TimerBase & timer);
  /// Returns the expected and the actual instant of a job's call, on the timer's clock.
  rcl_timer_call_info_t call_of(const executor::JobInfo & job) const noexcept;
  void run(const ::rclcpp::TimerBase::SharedPtr & timer, const std::shared_ptr<void> & data);

  const ::rclcpp::TimerBase::WeakPtr timer_;
  const void * const handle_;      // address of the rcl timer, for tracepoints
  rcl_clock_t * clock_ = nullptr;  // the timer's clock if it is not steady
  std::atomic<bool> listening_ = false;
  std::atomic<bool> simulated_ = false;
  std::atomic<model::Time> released_at_ = -model::never;  // on simulated time: the last release
  std::atomic<model::Time> reset_at_ = -model::never;     // the last reset
  // Jobs released earlier are ignored: the timer has been reset since.
  std::atomic<model::Time> valid_from_ = -model::never;
  std::atomic<model::Time> called_ = 0;  // last grid point that a call of rcl accounts for
  using Reads = std::shared_ptr<const std::vector<tasks::TopicRead>>;
  Reads current_reads() const noexcept;
  std::atomic<bool> any_reads_ = false;
  mutable os::PiMutex mutex_{os::LockRank::entity_data};
  Reads reads_ TAKT_GUARDED_BY(mutex_) = std::make_shared<std::vector<tasks::TopicRead>>();
};

}  // namespace takt::rclcpp
