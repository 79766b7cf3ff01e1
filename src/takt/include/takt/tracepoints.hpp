// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tracetools/tracetools.h>

#include <type_traits>
#include <typeinfo>

namespace takt::detail {

/// What the compiler calls a user's callback.
struct CallbackSymbol {
  const void * function = nullptr;  ///< if it is one
  const char * type = nullptr;      ///< its type's name, mangled; for a function that has no symbol
};

template <typename F>
CallbackSymbol symbol_of(const F & callback) noexcept {
  if constexpr (std::is_pointer_v<F> && std::is_function_v<std::remove_pointer_t<F>>) {
    return {reinterpret_cast<const void *>(callback), typeid(F).name()};
  } else if constexpr (requires { callback.target_type(); }) {
    return {nullptr, callback.target_type().name()};
  } else {
    return {nullptr, typeid(F).name()};
  }
}

// The tracepoints of rclcpp, in its order and with its arguments, so that what reads traces of ROS 2
// reads these. Those of rcl and the middleware are called there. Without a tracer each is a call and
// a look. What stands for a callback is an address that belongs to it for as long as it lives.

/// A callback is known by this name from now on. Allocates if a tracer listens.
void trace_callback(const void * callback, const CallbackSymbol & symbol) noexcept;

/// A callback runs while it lives.
class TracedCall {
 public:
  explicit TracedCall(const void * callback, [[maybe_unused]] bool inside = false) noexcept
      : callback_(callback) {
    TRACETOOLS_TRACEPOINT(callback_start, callback_, inside);
  }
  ~TracedCall() { TRACETOOLS_TRACEPOINT(callback_end, callback_); }
  TracedCall(const TracedCall &) = delete;
  TracedCall & operator=(const TracedCall &) = delete;

 private:
  const void * callback_;
};

}  // namespace takt::detail
