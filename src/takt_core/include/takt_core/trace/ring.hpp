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
/// dropped and counted: whoever writes never waits.
class Ring {
 public:
  /// At least `capacity` events, rounded up to a power of two. Allocates, and touches all of it.
  Ring(std::uint8_t number, std::size_t capacity)
      : number_(number), events_(std::bit_ceil(capacity)), mask_(events_.size() - 1) {}
  Ring(const Ring &) = delete;
  Ring & operator=(const Ring &) = delete;

  /// One thread at a time, as a lock or the ring's owner sees to. Neither allocates nor blocks, makes
  /// no system call; some 5 ns.
  void push(const Event & event) noexcept {
    const std::uint64_t written = written_.load(std::memory_order_relaxed);
    last_at_ = event.at;
    if (written - read_seen_ > mask_) {
      read_seen_ = read_.load(std::memory_order_acquire);
      if (written - read_seen_ > mask_) {
        dropped_.store(dropped_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
        return;
      }
    }
    Event & place = events_[written & mask_];
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
    const std::size_t first = read & mask_;
    const std::size_t count = written - read;
    const std::size_t straight = std::min(count, events_.size() - first);
    if (straight > 0) use(std::span<const Event>(events_).subspan(first, straight));
    if (straight < count) use(std::span<const Event>(events_).first(count - straight));
    read_.store(written, std::memory_order_release);
  }

  std::uint8_t number() const noexcept { return number_; }
  std::size_t capacity() const noexcept { return events_.size(); }
  /// Any thread.
  std::uint64_t dropped() const noexcept { return dropped_.load(std::memory_order_relaxed); }

 private:
  const std::uint8_t number_;
  std::vector<Event> events_;
  const std::uint64_t mask_;
  // Of who pushes.
  alignas(64) std::atomic<std::uint64_t> written_{0};
  std::uint64_t read_seen_ = 0;
  os::Time last_at_ = 0;
  std::atomic<std::uint64_t> dropped_{0};
  // Of who drains.
  alignas(64) std::atomic<std::uint64_t> read_{0};
};

}  // namespace takt::trace
