// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rcl/wait.h>

#include <rclcpp/context.hpp>
#include <rclcpp/guard_condition.hpp>

#include <atomic>
#include <functional>
#include <memory>
#include <string>

#include "entities.hpp"
#include "takt_core/os/lock.hpp"
#include "takt_core/os/thread.hpp"

namespace takt::rclcpp {

/// Waits with a wait set, on a thread of its own (`takt.clock`), for entities without notifications: timers
/// on simulated time, and waitables that do not support notification functions. Releases their tasks. The
/// thread exists only if there are such entities.
class Waiter {
 public:
  Waiter(::rclcpp::Context::SharedPtr context, const Entities & entities,
         std::function<void(const std::string &)> log);
  ~Waiter();
  Waiter(const Waiter &) = delete;
  Waiter & operator=(const Waiter &) = delete;

  /// Starts the thread if there is something to wait for. Any thread.
  void start();
  void stop();
  /// Makes the thread update the set of entities that it waits for. Any thread.
  void interrupt() noexcept;

 private:
  void run() noexcept;
  void wait();

  const ::rclcpp::Context::SharedPtr context_;
  const Entities & entities_;
  const std::function<void(const std::string &)> log_;
  ::rclcpp::GuardCondition interrupt_;
  // Kept, because rclcpp's guard conditions store the address of the wait set that they are in.
  rcl_wait_set_t set_;
  std::atomic<bool> ending_ = false;
  os::Mutex mutex_{os::LockRank::waiter};
  os::Thread thread_ TAKT_GUARDED_BY(mutex_);
};

}  // namespace takt::rclcpp
