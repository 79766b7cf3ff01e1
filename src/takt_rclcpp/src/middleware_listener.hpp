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

/// Is called by the middleware for what comes to an rcl handle. rclcpp's object is not asked: of that
/// the function to call goes before the handle, which may call it to the last.
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

  /// `arrived(context, count)` on the middleware's threads for all that comes after it returns, and
  /// for some of what lies there: who begins to listen has to look. No effect if the handle has
  /// gone. Throws what rclcpp throws, with `who` before.
  void start(Hook::Arrived arrived, void * context, const std::string & who) {
    const auto handle = handle_.lock();
    if (handle == nullptr) return;
    hook_.set(arrived, context);
    listens_ = true;
    check(set_callback(handle.get(), Hook::call, &hook_), who);
  }
  /// On return nobody is being called. No effect on who listens to the handle after it.
  void stop() noexcept {
    if (!std::exchange(listens_, false)) return;
    // What is told until then is counted.
    if (const auto handle = handle_.lock()) {
      if (set_callback(handle.get(), nullptr, nullptr) != RCL_RET_OK) rcl_reset_error();
    }
    hook_.set(nullptr, nullptr);
  }

  /// Another one has started in its place.
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
