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

/// Copies what fits and ends it with a zero; false if it was cut.
template <std::size_t N>
bool copy_text(std::array<char, N> & to, std::string_view from) noexcept {
  const std::size_t n = from.copy(to.data(), N - 1);
  to[n] = '\0';
  return n == from.size();
}

/// One log message, all of it inside.
struct LogRecord {
  std::int64_t timestamp = 0;
  std::size_t line = 0;
  int severity = 0;
  std::array<char, 128> logger{};
  std::array<char, 96> function{};
  std::array<char, 160> file{};
  std::array<char, 608> text{};
};

/// A bounded ring of records: any number of threads push, one at a time pops. Pushing takes no
/// lock, makes no system call, allocates nothing, and drops the record when the ring is full.
///
/// Each slot carries a ticket. Equal to the position: free for the producer of that position. One
/// more: filled, the consumer's. The producer that was preempted while it filled its slot holds up
/// the consumer at that slot, nobody else.
template <typename Record>
class LogRing {
 public:
  /// `capacity` is a power of two. All memory is taken and touched here.
  explicit LogRing(std::size_t capacity) : slots_(capacity), mask_(capacity - 1) {
    if (capacity == 0 || (capacity & mask_) != 0) {
      throw std::invalid_argument("the capacity of a ring is a power of two");
    }
    for (std::size_t i = 0; i < capacity; ++i) slots_[i].ticket.store(i, std::memory_order_relaxed);
  }

  /// Hands a free record to `fill`, which must not throw; false if there is none.
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

  /// Hands the oldest record to `use` and frees it; false if there is none. One thread at a time.
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
