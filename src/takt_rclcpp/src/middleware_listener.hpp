// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rcl/client.h>
#include <rcl/error_handling.h>
#include <rcl/service.h>
#include <rcl/subscription.h>

#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include "entity.hpp"

namespace takt::rclcpp {

/// Is called by the middleware for what comes to an rcl handle, until its end at the latest. It calls
/// here, not rclcpp's object: of that the function goes before the handle, which may call it to the last.
template <typename HandleT,
          rcl_ret_t (*set_callback)(const HandleT *, rcl_event_callback_t, const void *)>
class MiddlewareListener {
 public:
  explicit MiddlewareListener(std::weak_ptr<HandleT> handle) : handle_(std::move(handle)) {}
  ~MiddlewareListener() { stop(); }
  MiddlewareListener(const MiddlewareListener &) = delete;
  MiddlewareListener & operator=(const MiddlewareListener &) = delete;

  /// `arrived(context, count)` on the middleware's threads, at once for what lies there untold. No
  /// effect if the handle has gone. Throws what rclcpp throws, with `who` before.
  void start(rcl_event_callback_t arrived, const void * context, const std::string & who) {
    if (const auto handle = handle_.lock())
      check(set_callback(handle.get(), arrived, context), who);
  }
  void stop() noexcept {
    const auto handle = handle_.lock();
    if (handle == nullptr) return;
    if (set_callback(handle.get(), nullptr, nullptr) != RCL_RET_OK) rcl_reset_error();
  }

 private:
  const std::weak_ptr<HandleT> handle_;
};

}  // namespace takt::rclcpp
