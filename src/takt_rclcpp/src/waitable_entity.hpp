// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rclcpp/waitable.hpp>

#include <atomic>
#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "entity.hpp"
#include "takt_core/os/pi_mutex.hpp"

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
  bool waits() const noexcept {
    return !listens() && waits_.load() && !gives_up_.load() && !ended();
  }
  /// It is waited for no more.
  void give_up() noexcept { gives_up_.store(true); }
  /// A wait set has found it ready.
  void was_ready() noexcept;

  // ---- Callback
  bool numbered() const noexcept override { return true; }
  bool listens() const noexcept override { return listens_.load(std::memory_order_relaxed); }

 protected:
  void start_listening() override;
  void stop_listening() noexcept override;
  void continue_from(const Entity & old) override;
  void run_job(const executor::JobInfo & job) override;
  bool gone() const noexcept override { return waitable_.expired(); }

 private:
  struct Part {
    int id;
    std::size_t came;
  };
  void arrived(std::size_t count, int part);
  /// It is to be waited for, unless a job is on the way: what was found would be found again.
  void wait() noexcept;
  /// Under mutex_.
  void add(const Part & part);
  /// The next of its parts that something came to, in turns; none: nothing came.
  std::optional<int> next_part() noexcept;
  std::size_t waiting() const noexcept override;

  const ::rclcpp::Waitable::WeakPtr waitable_;
  std::atomic<bool> listens_ = true;
  std::atomic<bool> waits_ = false;
  std::atomic<bool> gives_up_ = false;
  std::atomic<bool> found_ready_ = false;  // and a job of it is on the way
  mutable os::PiMutex mutex_;
  std::vector<Part> parts_;  // that something came to, ever; an action's client has five
  std::size_t last_ = 0;
};

}  // namespace takt::rclcpp
