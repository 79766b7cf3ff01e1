// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "takt_core/os/pi_mutex.hpp"

namespace takt::rclcpp {

/// The function and argument that the middleware is given for notifications. The middleware may call it
/// as long as the rcl handle exists, which others may own for longer than the listener exists. So hooks
/// are never destroyed but reused. A late call then announces an item to the next owner that has not
/// arrived, which costs one vain attempt to take it.
class Hook {
 public:
  using Arrived = void (*)(void * context, std::size_t count);

  /// Returns a hook that belongs to the caller from now on. Allocates.
  static Hook & get();
  /// Returns the hook for reuse. After the return, the function is not called any more.
  void give_back() noexcept;

  /// Sets the function to be called; nullptr: none. After the return, the previous one is not being
  /// called. `arrived` is called with a mutex held (priority inheritance): it must be short and must not
  /// use the hook.
  void set(Arrived arrived, void * context) noexcept;

  /// The function for rcl's setters of notification functions. Any thread.
  static void call(const void * hook, std::size_t count) noexcept;

 private:
  os::PiMutex mutex_{os::LockRank::hook};
  Arrived arrived_ TAKT_GUARDED_BY(mutex_) = nullptr;
  void * context_ TAKT_GUARDED_BY(mutex_) = nullptr;
};

}  // namespace takt::rclcpp
