// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rcl/client.h>
#include <rcl/error_handling.h>
#include <rcl/service.h>
#include <rcl/subscription.h>

#include <memory>
#include <string>
#include <utility>

#include "entity.hpp"
#include "hook.hpp"

namespace takt::rclcpp {

/// Receives the middleware's notifications of new items of an rcl handle. It does not use the setter of
/// the rclcpp object, because that object destroys its function before the handle, which may call it
/// until it is destroyed itself.
template <typename HandleT,
          rcl_ret_t (*set_callback)(const HandleT *, rcl_event_callback_t, const void *)>
class MiddlewareListener {
 public:
  explicit MiddlewareListener(std::weak_ptr<HandleT> handle) : handle_(std::move(handle)) {}
  ~MiddlewareListener() {
    stop();
    hook_.give_back();
  }
  MiddlewareListener(const MiddlewareListener &) = delete;
  MiddlewareListener & operator=(const MiddlewareListener &) = delete;

  /// Makes the middleware call `arrived(context, count)` on its threads for all items that arrive after the
  /// return. Not all earlier items are announced, so the caller must check for them. No effect if the
  /// handle has been destroyed. Throws rclcpp's exceptions, with `who` before the text.
  void start(Hook::Arrived arrived, void * context, const std::string & who) {
    const auto handle = handle_.lock();
    if (handle == nullptr) return;
    hook_.set(arrived, context);
    listens_ = true;
    check(set_callback(handle.get(), Hook::call, &hook_), who);
  }
  /// Ends the notifications. After the return, the function is not being called. Does not affect a
  /// listener that has been set on the handle later.
  void stop() noexcept {
    if (!std::exchange(listens_, false)) return;
    // Items that are announced before this has taken effect still count.
    if (const auto handle = handle_.lock()) {
      if (set_callback(handle.get(), nullptr, nullptr) != RCL_RET_OK) rcl_reset_error();
    }
    hook_.set(nullptr, nullptr);
  }

  /// Called instead of stop() when another listener has been started on the handle.
  void give_up() noexcept {
    listens_ = false;
    hook_.set(nullptr, nullptr);
  }

 private:
  const std::weak_ptr<HandleT> handle_;
  Hook & hook_ = Hook::get();
  bool listens_ = false;
};

}  // namespace takt::rclcpp
