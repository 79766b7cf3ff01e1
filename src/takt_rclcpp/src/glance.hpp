// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rcl/wait.h>

#include <rclcpp/context.hpp>
#include <rclcpp/waitable.hpp>

#include "takt_core/os/lock.hpp"

namespace takt::rclcpp {

/// Sees whether something lies there to be taken, whoever was told of it: by a wait set that does not
/// wait. Takes nothing. Thread-safe; takes the middleware's locks. Without an effect, and so nothing
/// is seen, after shutdown.
class Glance {
 public:
  /// Throws what rclcpp throws.
  explicit Glance(::rclcpp::Context::SharedPtr context);
  ~Glance();
  Glance(const Glance &) = delete;
  Glance & operator=(const Glance &) = delete;

  bool sees(const rcl_subscription_t & subscription) noexcept;
  bool sees(const rcl_service_t & service) noexcept;
  bool sees(const rcl_client_t & client) noexcept;
  /// Not of one with guard conditions, which belong to one wait set at a time, or timers.
  bool sees(::rclcpp::Waitable & waitable) noexcept;
  /// Of what a subscription has from inside the process, which needs no wait set.
  bool sees_inside(::rclcpp::Waitable & intra_process) noexcept;

 private:
  template <typename AddT, typename ReadyT>
  bool look(const AddT & add, const ReadyT & is_ready) noexcept;

  const ::rclcpp::Context::SharedPtr context_;
  os::Mutex mutex_{os::LockRank::glance};
  rcl_wait_set_t set_ TAKT_GUARDED_BY(mutex_);
};

}  // namespace takt::rclcpp
