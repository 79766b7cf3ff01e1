// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "takt_core/os/pi_mutex.hpp"

namespace takt::rclcpp {

/// What the middleware is given to call. It may call to the last moment of a handle that others own,
/// when whoever listened has gone: so a hook lives as long as the process and is only given on. Then
/// a late call tells its next owner of what has not come, which costs that one a look.
class Hook {
 public:
  using Arrived = void (*)(void * context, std::size_t count);

  /// Of its own from now on. Allocates.
  static Hook & get();
  /// On return it does not call, and belongs to somebody else.
  void give_back() noexcept;

  /// `arrived` is called while a lock is held that inherits priority: it must be short, and not
  /// come back here. nullptr: nobody. On return the one before is not being called.
  void set(Arrived arrived, void * context) noexcept;

  /// As rcl calls. Any thread.
  static void call(const void * hook, std::size_t count) noexcept;

 private:
  os::PiMutex mutex_{os::LockRank::hook};
  Arrived arrived_ TAKT_GUARDED_BY(mutex_) = nullptr;
  void * context_ TAKT_GUARDED_BY(mutex_) = nullptr;
};

}  // namespace takt::rclcpp
