// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rcl/wait.h>

#include <rclcpp/context.hpp>
#include <rclcpp/waitable.hpp>

#include "takt_core/os/lock.hpp"

namespace takt::rclcpp {

/// Checks, by polling a wait set, whether there are items to be taken, even if they were announced to
/// another executor. Does not take them. Thread-safe; takes the middleware's locks. After the shutdown of
/// the context it finds nothing.
class ItemPoll {
 public:
  /// Throws rclcpp's exceptions.
  explicit ItemPoll(::rclcpp::Context::SharedPtr context);
  ~ItemPoll();
  ItemPoll(const ItemPoll &) = delete;
  ItemPoll & operator=(const ItemPoll &) = delete;

  bool has_item(const rcl_subscription_t & subscription) noexcept;
  bool has_item(const rcl_service_t & service) noexcept;
  bool has_item(const rcl_client_t & client) noexcept;
  /// Not for waitables with timers or with guard conditions, which can be in one wait set at a time only.
  bool has_item(::rclcpp::Waitable & waitable) noexcept;
  /// Checks for messages from inside the process, by a subscription's intra-process waitable, which needs
  /// no wait set.
  bool has_inside_item(::rclcpp::Waitable & intra_process) noexcept;

 private:
  template <typename AddT, typename ReadyT>
  bool poll(const AddT & add, const ReadyT & is_ready) noexcept;

  const ::rclcpp::Context::SharedPtr context_;
  os::Mutex mutex_{os::LockRank::item_poll};
  rcl_wait_set_t set_ TAKT_GUARDED_BY(mutex_);
};

}  // namespace takt::rclcpp
