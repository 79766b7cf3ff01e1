// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>

#include "entity.hpp"
#include "takt_core/os/event.hpp"
#include "takt_core/os/lock.hpp"
#include "takt_core/os/pi_mutex.hpp"
#include "waiter.hpp"

namespace takt::rclcpp {

/// Passes notifications on to the executor's threads, if they exist. Outlives the entities.
class Notifier : public EntityWatcher {
 public:
  using EntityWatcher::EntityWatcher;

  void look_again() noexcept override { nodes.post(); }
  void wait_again() noexcept override {
    const os::Lock lock(mutex_);
    if (waiter_ != nullptr) waiter_->interrupt();
  }
  /// Sets the waiter to be interrupted; nullptr: none.
  void set_waiter(Waiter * waiter) noexcept {
    const os::Lock lock(mutex_);
    waiter_ = waiter;
  }

  os::Event nodes;
  std::atomic<bool> changed = true;  // whether entities may have changed since the last refresh

 private:
  os::PiMutex mutex_{os::LockRank::notifier};
  Waiter * waiter_ TAKT_GUARDED_BY(mutex_) = nullptr;
};

}  // namespace takt::rclcpp
