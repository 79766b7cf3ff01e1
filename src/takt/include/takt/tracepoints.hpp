// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tracetools/tracetools.h>

#include <type_traits>
#include <typeinfo>

namespace takt::detail {

/// Identifies a user's callback in ROS 2 traces.
struct CallbackSymbol {
  const void * function = nullptr;  ///< its address if it is a plain function, else nullptr
  /// The mangled name of its type, used where no symbol is found for the function.
  const char * type = nullptr;
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

// The tracepoints of rclcpp, in the same order and with the same arguments, so that tools for ROS 2
// traces understand them. rcl and the middleware call their own tracepoints. Without an active tracer,
// each costs a function call and a test. A callback is identified by an address that belongs to it as
// long as it exists.

/// Emits the tracepoint that registers the name of a callback. Allocates if a tracer is active.
void trace_callback(const void * callback, const CallbackSymbol & symbol) noexcept;

/// Emits callback_start at its construction and callback_end at its destruction. `inside` is the argument
/// `is_intra_process` of callback_start: whether the message came from inside the process.
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
