// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "takt_core/trace/event.hpp"

namespace takt::trace {

/// A bounded queue of events from one writing thread at a time to the draining thread. Events that
/// find no room are dropped and counted: a writer never waits. When it has been drained completely
/// it starts again at its front, so that memory beyond the usual fill level stays untouched and the
/// caches hold the part in use.
class Ring {
 public:
  /// Makes room for `capacity` events, rounded up to a power of two. Allocates, and touches all of
  /// it.
  Ring(std::uint8_t number, std::size_t capacity)
      : events_(std::bit_ceil(capacity)),
        first_(events_.data()),
        mask_(events_.size() - 1),
        number_(number) {}
  Ring(const Ring &) = delete;
  Ring & operator=(const Ring &) = delete;

  /// Appends an event. One thread at a time, by a lock or by ownership of the ring. Neither
  /// allocates nor blocks, makes no system call; some 5 ns.
  void push(const Event & event) noexcept {
    const std::uint64_t written = written_.load(std::memory_order_relaxed);
    const std::uint64_t read = read_.load(std::memory_order_acquire);
    if (read == written) {
      front_ = written;  // the draining thread reads it only while there are events
    } else if (written - read > mask_) {
      dropped_.store(dropped_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
      return;
    }
    Event & place = first_[(written - front_) & mask_];
    place = event;
    place.ring = number_;
    written_.store(written + 1, std::memory_order_release);
  }

  /// Passes the events to `use`, oldest first, in at most two spans, in the format of the file, and
  /// removes them. One thread at a time.
  template <typename Use>
  void drain(Use && use) {
    const std::uint64_t read = read_.load(std::memory_order_relaxed);
    const std::uint64_t written = written_.load(std::memory_order_acquire);
    if (written == read) return;
    const std::size_t first = (read - front_) & mask_;
    const std::size_t count = written - read;
    const std::size_t straight = std::min(count, events_.size() - first);
    use(std::span<const Event>(events_).subspan(first, straight));
    if (straight < count) use(std::span<const Event>(events_).first(count - straight));
    read_.store(written, std::memory_order_release);
  }

  /// The number of the ring, as in Event::ring. Any thread.
  std::uint8_t number() const noexcept { return number_; }
  /// The number of events for which there is room, a power of two. Any thread.
  std::size_t capacity() const noexcept { return events_.size(); }
  /// The number of events dropped. Any thread.
  std::uint64_t dropped() const noexcept { return dropped_.load(std::memory_order_relaxed); }

 private:
  std::vector<Event> events_;
  // All that push() accesses is in one cache line, including read_, which the draining thread
  // writes, but seldom.
  alignas(64) Event * const first_;
  const std::uint64_t mask_;
  std::atomic<std::uint64_t> written_{0};
  std::uint64_t front_ = 0;  // `written_` when the first place was last filled
  std::atomic<std::uint64_t> dropped_{0};
  std::atomic<std::uint64_t> read_{0};
  const std::uint8_t number_;
};

}  // namespace takt::trace
