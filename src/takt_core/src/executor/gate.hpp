// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>

namespace takt::executor {

/// Holds back the start of jobs: while a job is inside the middleware and may not be preempted there
/// yet, while the processor stops or stands still. All of it is one atomic word, so whoever closes, opens or
/// looks does so in one order: a start that was put off is never forgotten.
class Gate {
 public:
  using Word = std::uint32_t;
  /// How many sections hold starts back: the lower bits.
  static constexpr Word sections = 0xffff;
  /// A start was put off until the last section ends.
  static constexpr Word deferred = 1U << 16;
  /// stop() was called.
  static constexpr Word stopping = 1U << 18;
  /// It does not spin.
  static constexpr Word halted = 1U << 19;

  Word look() const noexcept { return word_.load(std::memory_order_acquire); }
  void close(Word reason) noexcept { word_.fetch_or(reason, std::memory_order_acq_rel); }
  void open(Word reason) noexcept { word_.fetch_and(~reason, std::memory_order_acq_rel); }

  // In one order with what the caller reads next, and what who looks at the sections wrote before.
  void enter_section() noexcept { word_.fetch_add(1, std::memory_order_seq_cst); }
  bool in_section() const noexcept {
    return (word_.load(std::memory_order_seq_cst) & sections) != 0;
  }
  /// True if it was the last one and a start was put off: then somebody must decide again.
  bool leave_section() noexcept {
    const Word before = word_.fetch_sub(1, std::memory_order_seq_cst);
    return (before & sections) == 1 && (before & deferred) != 0;
  }
  /// Puts a start off until the last section ends; false if there is none.
  bool defer() noexcept {
    Word word = look();
    while ((word & sections) != 0) {
      if (word_.compare_exchange_weak(word, word | deferred, std::memory_order_acq_rel,
                                      std::memory_order_acquire)) {
        return true;
      }
    }
    return false;
  }

 private:
  std::atomic<Word> word_{halted};
};

}  // namespace takt::executor
