// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>

#include "takt_core/os/clock.hpp"

namespace takt::os {

/// Wakes one thread. A post is kept until it is taken; several posts before that count as one. What
/// was written before a post is visible after the wait that takes it. At most one thread waits. It
/// may be destroyed by who has seen the post, even before post() has returned. Never allocates.
class Event {
 public:
  Event() = default;
  Event(const Event &) = delete;
  Event & operator=(const Event &) = delete;

  /// Any thread, also a signal handler. Does not block. A system call only if a thread waits.
  void post() noexcept;

  /// Blocks until there is a post and takes it. No system call if there is one already.
  void wait() noexcept;

  /// The same, until `instant` (CLOCK_MONOTONIC, absolute, ns) at the latest. False if there was no
  /// post. The last that Time can hold never comes.
  bool wait_until(Time instant) noexcept;

 private:
  std::atomic<std::uint32_t> state_{0};
};

/// How often the calling thread went to sleep in this layer since it began. See also
/// voluntary_switches().
std::uint64_t waits_of_thread() noexcept;

/// For this layer's own blocking calls: counts one such sleep.
void count_wait() noexcept;

}  // namespace takt::os
