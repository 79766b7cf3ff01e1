// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>

#include "takt_core/model/types.hpp"

namespace takt::executor {

/// Decides whether jobs may start. Starts are held back while a job is inside the middleware and
/// must not be preempted there, while the processor is stopping, and while it does not spin. All
/// these conditions are in one atomic word, so that threads that set, clear and test them see the
/// same order, and a deferred start is never forgotten. No member blocks or allocates; any thread
/// may call them.
class Gate {
 public:
  using Word = std::uint32_t;
  /// The number of sections that hold starts back, in the lower bits.
  static constexpr Word sections = 0xffff;
  /// Flag: a start has been deferred until the last section ends.
  static constexpr Word deferred = 1U << 16;
  /// Flag: stop() was called.
  static constexpr Word stopping = 1U << 18;
  /// Flag: the processor does not spin.
  static constexpr Word halted = 1U << 19;

  /// For how long a section holds starts back, if a start may be `most` late because of it: three
  /// quarters of that, because the releasing thread still has to wake, and the CPU to switch to the
  /// thread of the job that starts.
  static constexpr model::Duration longest_hold(model::Duration most) noexcept {
    return most - most / 4;
  }

  /// The flags and the number of sections.
  Word look() const noexcept { return word_.load(std::memory_order_acquire); }
  /// Sets a flag.
  void close(Word reason) noexcept { word_.fetch_or(reason, std::memory_order_acq_rel); }
  /// Clears a flag.
  void open(Word reason) noexcept { word_.fetch_and(~reason, std::memory_order_acq_rel); }

  // Sequentially consistent: what the caller reads afterwards is ordered with what a thread that
  // tests for sections has written before.
  void enter_section() noexcept { word_.fetch_add(1, std::memory_order_seq_cst); }
  bool in_section() const noexcept {
    return (word_.load(std::memory_order_seq_cst) & sections) != 0;
  }
  /// Leaves a section. True if it was the last one and a start was deferred: the caller must then
  /// make the decision again.
  bool leave_section() noexcept {
    const Word before = word_.fetch_sub(1, std::memory_order_seq_cst);
    return (before & sections) == 1 && (before & deferred) != 0;
  }
  /// Defers a start until the last section ends; false if there is no section.
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
