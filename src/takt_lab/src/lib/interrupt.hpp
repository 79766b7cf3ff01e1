// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <takt_core/model/types.hpp>

namespace takt::lab {

/// SIGINT and SIGTERM of this process. At most one thread sleeps here at a time.
class Interrupt {
 public:
  /// From now on these signals only end the sleep. One at a time in a process.
  Interrupt();
  /// Puts the signals' former effect back.
  ~Interrupt();
  Interrupt(const Interrupt &) = delete;
  Interrupt & operator=(const Interrupt &) = delete;

  /// True once a signal has come. Any thread.
  bool raised() const noexcept;
  /// Sleeps until `instant` (CLOCK_MONOTONIC) or a signal; true if one has come.
  bool sleep_until(model::Time instant) noexcept;
  /// As if a signal had come. Any thread.
  void raise() noexcept;
};

}  // namespace takt::lab
