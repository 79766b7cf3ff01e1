// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rclcpp/waitable.hpp>

#include <atomic>
#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "entity.hpp"
#include "event_news.hpp"
#include "takt_core/os/lock.hpp"
#include "takt_core/os/pi_mutex.hpp"
#include "takt_core/tasks/event_announcements.hpp"

namespace takt::rclcpp {

/// A waitable: a QoS event, an action server or client, or a user-defined one. A waitable that does not
/// announce all of its items must be waited for with a wait set.
class WaitableEntity : public Entity {
 public:
  WaitableEntity(std::shared_ptr<NodeView> node, const ::rclcpp::Waitable::SharedPtr & waitable,
                 CallbackGroup::SharedPtr group, const TaskOptions & options,
                 std::shared_ptr<EntityWatcher> watcher);

  // ---- for a waitable that must be waited for with a wait set
  ::rclcpp::Waitable::SharedPtr waitable() const { return waitable_.lock(); }
  /// Returns whether it is to be waited for now: not while one of its jobs is about to take an item.
  bool waits() const noexcept { return !listens() && state_.load() == State::waits && !ended(); }
  /// Stops waiting for it for good, after an error.
  void give_up() noexcept { state_.store(State::given_up); }
  /// Called when a wait set has found it ready: releases a job.
  void was_ready() noexcept;

  // ---- Callback
  bool numbered() const noexcept override { return true; }
  bool listens() const noexcept override { return listens_.load(std::memory_order_relaxed); }

 protected:
  void start_listening() override;
  void stop_listening() noexcept override;
  void look() override;
  void continue_from(const Entity & old) override;
  void run_job(const executor::JobInfo & job) override;
  bool gone() const noexcept override { return waitable_.expired(); }

 private:
  struct Part {
    int id;
    std::size_t came;
  };
  void arrived(std::size_t count, int part);
  /// Takes an event before its notifications begin, and keeps it: rmw_fastrtps resets the number of changes
  /// when the notification function is set.
  void hold_event(::rclcpp::Waitable & waitable);
  /// Returns the first kept event; nullptr if there is none.
  std::shared_ptr<void> release_held() noexcept;
  /// Executes the waitable, unless it is an event that reports no change.
  void execute_if_new(::rclcpp::Waitable & waitable, const std::shared_ptr<void> & taken) const;
  /// Changes the state from idle to waiting. A waitable that was found ready stays so until a job has taken
  /// the item.
  void begin_to_wait() noexcept;
  void add(const Part & part) TAKT_REQUIRES(mutex_);
  /// Returns the next part (such as a service of an action) with an announced item, in turns; none if there
  /// is no item.
  std::optional<int> next_part() noexcept;
  std::size_t jobs() const noexcept override;
  bool claim_job() noexcept override;

  const ::rclcpp::Waitable::WeakPtr waitable_;
  bool is_event() const noexcept { return status_.is_new != nullptr; }
  /// Takes an event that was announced; returns nullptr if it was taken already. Taking an event that was not announced
  /// may deadlock in rmw_fastrtps with a missed deadline (decision 54).
  std::shared_ptr<void> take_event(::rclcpp::Waitable & waitable, int part);

  const EventStatus status_;  // its functions are nullptr if it is no event
  tasks::EventAnnouncements announcements_;
  std::atomic<bool> listens_ = true;
  enum class State { idle, waits, found, given_up };  // found: a job has been released
  std::atomic<State> state_ = State::idle;            // used if a wait set must wait for it
  mutable os::PiMutex mutex_{os::LockRank::entity_data};
  // The parts for which an item has ever been announced; an action client has five.
  std::vector<Part> parts_ TAKT_GUARDED_BY(mutex_);
  std::size_t last_ TAKT_GUARDED_BY(mutex_) = 0;
  // Events that were taken and have not been executed yet.
  std::vector<std::shared_ptr<void>> held_ TAKT_GUARDED_BY(mutex_);
  // There may be items that were not announced. The next jobs take them as after a wait with a wait set.
  std::atomic<bool> look_ = false;
};

}  // namespace takt::rclcpp
