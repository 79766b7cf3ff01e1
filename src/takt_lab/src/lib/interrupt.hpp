// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <signal.h>

#include <atomic>
#include <takt_core/model/types.hpp>

namespace takt::lab {

/// SIGINT and SIGTERM of this process, taken by whoever asks for them instead of interrupting a
/// thread: the kernel would choose the main thread, which an overload may keep from running.
class Interrupt {
 public:
  /// From now on the signals wait to be asked for. To be made on the main thread, before there are
  /// others, which inherit that. One at a time in a process.
  Interrupt();
  /// Signals act again as before; those that wait are forgotten.
  ~Interrupt();
  Interrupt(const Interrupt &) = delete;
  Interrupt & operator=(const Interrupt &) = delete;

  /// True once a signal has come. Any thread.
  bool raised() noexcept;
  /// Sleeps until `instant` (CLOCK_MONOTONIC) or a signal; true if one has come. Any thread, one at
  /// a time.
  bool sleep_until(model::Time instant) noexcept;
  /// As if a signal had come. Any thread.
  void raise() noexcept;

 private:
  bool take(model::Duration timeout) noexcept;

  sigset_t signals_;
  sigset_t before_;
  std::atomic<bool> came_{false};
};

}  // namespace takt::lab
