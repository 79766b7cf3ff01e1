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

/// A waitable: an event of QoS, an action's server or client, one of the user's own. One that cannot
/// tell of what comes itself, or not of all, is waited for in a wait set.
class WaitableEntity : public Entity {
 public:
  WaitableEntity(std::shared_ptr<NodeView> node, const ::rclcpp::Waitable::SharedPtr & waitable,
                 CallbackGroup::SharedPtr group, const TaskOptions & options,
                 std::shared_ptr<EntityWatcher> watcher);

  // ---- if it does not listen
  ::rclcpp::Waitable::SharedPtr waitable() const { return waitable_.lock(); }
  /// Whether it is to be waited for: not while a job of it is about to take what came.
  bool waits() const noexcept { return !listens() && state_.load() == State::waits && !ended(); }
  /// It is waited for no more.
  void give_up() noexcept { state_.store(State::given_up); }
  /// A wait set has found it ready.
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
  /// Of an event, before it listens: rmw_fastrtps forgets, as it is told whom to call, how much has
  /// changed.
  void hold_event(::rclcpp::Waitable & waitable);
  /// nullptr: nothing is held.
  std::shared_ptr<void> release_held() noexcept;
  /// Unless it is an event of which nothing is new.
  void execute_if_new(::rclcpp::Waitable & waitable, const std::shared_ptr<void> & taken) const;
  /// From idle: what was found is found until a job has taken it.
  void begin_to_wait() noexcept;
  void add(const Part & part) TAKT_REQUIRES(mutex_);
  /// The next of its parts that something came to, in turns; none: nothing came.
  std::optional<int> next_part() noexcept;
  std::size_t jobs() const noexcept override;
  bool claim_job() noexcept override;

  const ::rclcpp::Waitable::WeakPtr waitable_;
  bool is_event() const noexcept { return status_.is_new != nullptr; }
  /// What was announced of an event; nullptr: it was taken already. rmw_fastrtps takes what was not announced under two
  /// locks that it takes the other way round where a deadline is missed.
  std::shared_ptr<void> take_event(::rclcpp::Waitable & waitable, int part);

  const EventStatus status_;  // of an event
  tasks::EventAnnouncements announcements_;
  std::atomic<bool> listens_ = true;
  enum class State { idle, waits, found, given_up };  // found: a job of it is on the way
  std::atomic<State> state_ = State::idle;            // of one that does not listen
  mutable os::PiMutex mutex_{os::LockRank::entity_data};
  // That something came to, ever; an action's client has five.
  std::vector<Part> parts_ TAKT_GUARDED_BY(mutex_);
  std::size_t last_ TAKT_GUARDED_BY(mutex_) = 0;
  // Events that were taken and are not executed yet.
  std::vector<std::shared_ptr<void>> held_ TAKT_GUARDED_BY(mutex_);
  // Something lies there that was not announced. The next jobs take it as a wait set has it.
  std::atomic<bool> look_ = false;
};

}  // namespace takt::rclcpp
