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

/// A bounded queue of events from one thread at a time to the one that drains. What finds no room is
/// dropped and counted: whoever writes never waits. Once all is drained it begins again at its front,
/// so that what a burst left untouched stays so, and the caches hold what is written.
class Ring {
 public:
  /// At least `capacity` events, rounded up to a power of two. Allocates, and touches all of it.
  Ring(std::uint8_t number, std::size_t capacity)
      : events_(std::bit_ceil(capacity)),
        first_(events_.data()),
        mask_(events_.size() - 1),
        number_(number) {}
  Ring(const Ring &) = delete;
  Ring & operator=(const Ring &) = delete;

  /// One thread at a time, as a lock or the ring's owner sees to. Neither allocates nor blocks, makes
  /// no system call; some 5 ns.
  void push(const Event & event) noexcept {
    const std::uint64_t written = written_.load(std::memory_order_relaxed);
    const std::uint64_t read = read_.load(std::memory_order_acquire);
    last_at_ = event.at;
    if (read == written) {
      front_ = written;  // who drains looks at it only while there is something
    } else if (written - read > mask_) {
      dropped_.store(dropped_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
      return;
    }
    Event & place = first_[(written - front_) & mask_];
    place = event;
    place.ring = number_;
    written_.store(written + 1, std::memory_order_release);
  }
  /// The instant of the event pushed last: for an event whose own would cost a read of the clock.
  /// Who pushes.
  os::Time last_at() const noexcept { return last_at_; }

  /// Hands what there is to `use`, oldest first, in at most two pieces that are as in the file, and
  /// frees it. One thread at a time.
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

  std::uint8_t number() const noexcept { return number_; }
  std::size_t capacity() const noexcept { return events_.size(); }
  /// Any thread.
  std::uint64_t dropped() const noexcept { return dropped_.load(std::memory_order_relaxed); }

 private:
  std::vector<Event> events_;
  // All that a push looks at in one cache line, also what who drains writes, which is seldom.
  alignas(64) Event * const first_;
  const std::uint64_t mask_;
  std::atomic<std::uint64_t> written_{0};
  std::uint64_t front_ = 0;  // what was written when the first place was filled last
  os::Time last_at_ = 0;
  std::atomic<std::uint64_t> dropped_{0};
  std::atomic<std::uint64_t> read_{0};
  const std::uint8_t number_;
};

}  // namespace takt::trace
