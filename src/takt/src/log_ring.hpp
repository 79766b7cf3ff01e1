// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

namespace takt::detail {

/// Copies as much of the text as fits, with a terminating zero. Returns false if it was truncated.
template <std::size_t N>
bool copy_text(std::array<char, N> & to, std::string_view from) noexcept {
  const std::size_t n = from.copy(to.data(), N - 1);
  to[n] = '\0';
  return n == from.size();
}

/// A log message, stored without pointers to other memory.
struct LogRecord {
  std::int64_t timestamp = 0;
  std::size_t line = 0;
  int severity = 0;
  std::array<char, 128> logger{};
  std::array<char, 96> function{};
  std::array<char, 160> file{};
  std::array<char, 608> text{};
};

/// A bounded multi-producer, single-consumer ring of records. Pushing takes no lock, makes no system
/// call, allocates nothing, and drops the record when the ring is full.
///
/// Each slot has a ticket (as in D. Vyukov's bounded MPMC queue). If it equals the position, the slot is
/// free for the producer of that position; if it is one more, the slot is filled and belongs to the
/// consumer. A producer that is preempted while it fills its slot delays only the consumer.
template <typename Record>
class LogRing {
 public:
  /// `capacity` must be a power of two. Allocates and touches all memory of the ring.
  explicit LogRing(std::size_t capacity) : slots_(capacity), mask_(capacity - 1) {
    if (capacity == 0 || (capacity & mask_) != 0) {
      throw std::invalid_argument("the capacity of a ring must be a power of two");
    }
    for (std::size_t i = 0; i < capacity; ++i) slots_[i].ticket.store(i, std::memory_order_relaxed);
  }

  /// Passes a free record to `fill`, which must not throw. Returns false if the ring is full.
  template <typename Fill>
  bool push(Fill && fill) noexcept {
    std::size_t at = tail_.load(std::memory_order_relaxed);
    for (;;) {
      Slot & slot = slots_[at & mask_];
      const auto ahead = static_cast<std::ptrdiff_t>(slot.ticket.load(std::memory_order_acquire)) -
                         static_cast<std::ptrdiff_t>(at);
      if (ahead < 0) {
        dropped_.fetch_add(1, std::memory_order_relaxed);
        return false;
      }
      if (ahead > 0) {
        at = tail_.load(std::memory_order_relaxed);
        continue;
      }
      if (tail_.compare_exchange_weak(at, at + 1, std::memory_order_relaxed)) {
        std::forward<Fill>(fill)(slot.record);
        slot.ticket.store(at + 1, std::memory_order_release);
        return true;
      }
    }
  }

  /// Passes the oldest record to `use` and frees it. Returns false if there is none, or if it is still
  /// being filled. One thread at a time.
  template <typename Use>
  bool pop(Use && use) {
    Slot & slot = slots_[head_ & mask_];
    if (slot.ticket.load(std::memory_order_acquire) != head_ + 1) return false;
    std::forward<Use>(use)(std::as_const(slot.record));
    slot.ticket.store(head_ + slots_.size(), std::memory_order_release);
    ++head_;
    return true;
  }

  std::uint64_t pushed() const noexcept { return tail_.load(std::memory_order_relaxed); }
  std::uint64_t dropped() const noexcept { return dropped_.load(std::memory_order_relaxed); }

 private:
  struct Slot {
    std::atomic<std::size_t> ticket{0};
    Record record{};
  };

  std::vector<Slot> slots_;
  std::size_t mask_;
  std::size_t head_ = 0;
  alignas(64) std::atomic<std::size_t> tail_{0};
  alignas(64) std::atomic<std::uint64_t> dropped_{0};
};

}  // namespace takt::detail
