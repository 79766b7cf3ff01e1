// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>

#include "takt_core/os/clock.hpp"

namespace takt::os {

/// A binary semaphore that wakes one thread. A post is stored until a wait takes it; several posts
/// before that count as one. Writes before a post are visible after the wait that takes it. At most
/// one thread may wait. The thread that has taken the post may destroy the object, even if post()
/// has not returned yet in the other thread. Never allocates.
class Event {
 public:
  Event() = default;
  Event(const Event &) = delete;
  Event & operator=(const Event &) = delete;

  /// Posts. Any thread, signal handlers included. Does not block; makes a system call only if a
  /// thread waits.
  void post() noexcept;

  /// Blocks until there is a post, and takes it. No system call if there is one already.
  void wait() noexcept;

  /// As wait(), at most until `instant` (CLOCK_MONOTONIC, absolute, ns). Returns false if there was
  /// no post. The greatest value of Time means no limit.
  bool wait_until(Time instant) noexcept;

 private:
  std::atomic<std::uint32_t> state_{0};
};

/// The number of times that the calling thread has blocked in functions of this layer. See also
/// unexplained_switches().
std::uint64_t waits_of_thread() noexcept;

/// Counts one such time; called by the blocking functions of this layer.
void count_wait() noexcept;

}  // namespace takt::os
