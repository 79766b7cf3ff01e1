// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <signal.h>

#include <atomic>
#include <takt_core/model/types.hpp>

namespace takt::lab {

/// Receives SIGINT and SIGTERM of this process synchronously, on the thread that asks for them, instead of
/// interrupting a thread: the kernel would choose the main thread, which an overload may keep from running.
class Interrupt {
 public:
  /// Blocks the signals. To be created on the main thread, before other threads, which inherit the signal
  /// mask. One at a time in a process.
  Interrupt();
  /// Restores the signal mask; pending signals are discarded.
  ~Interrupt();
  Interrupt(const Interrupt &) = delete;
  Interrupt & operator=(const Interrupt &) = delete;

  /// Returns whether a signal has arrived. Any thread.
  bool raised() noexcept;
  /// Sleeps until `instant` (CLOCK_MONOTONIC, ns) or a signal. Returns whether a signal has arrived. Any
  /// thread, one at a time.
  bool sleep_until(model::Time instant) noexcept;
  /// Has the same effect as a signal. Any thread.
  void raise() noexcept;

 private:
  bool take(model::Duration timeout) noexcept;

  sigset_t signals_;
  sigset_t before_;
  std::atomic<bool> came_{false};
};

}  // namespace takt::lab
