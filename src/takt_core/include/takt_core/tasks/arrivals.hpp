// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace takt::tasks {

/// What became of an attempt to take one item from a queue of the middleware.
enum class Taken : std::uint8_t {
  one,      ///< an item was taken and delivered
  other,    ///< one was taken that is not for this callback, such as the middleware's copy of a
            ///< message that came inside the process
  none,     ///< nothing lay there
  unknown,  ///< `other` or `none`: the middleware says the same of a response to another client and
            ///< of an empty queue
  failed,   ///< one could not be read; it may lie there yet
};

/// What has arrived in one queue of the middleware and was not taken yet, as far as anybody has
/// announced it. It decides how often to take, so that nothing that lies there is ever forgotten.
///
/// Announcements and items differ. There may be fewer items: newer ones have replaced them, another
/// executor took them, they are not for this callback. There may be more: what was announced to
/// another executor, or to nobody. So an announcement is settled by one attempt, and all that were
/// made until then by the sight of an empty queue.
///
/// One thread takes at a time; everything else may be called by any thread. Nothing blocks or
/// allocates.
class Arrivals {
 public:
  /// The depth of a queue that keeps all.
  static constexpr std::size_t unbounded = 0;

  /// `depth`: how many items the queue keeps at most, or `unbounded`. After so many attempts that
  /// gave nothing, what lay there as they began is gone.
  explicit Arrivals(std::size_t depth = unbounded) noexcept : depth_(depth) {}
  Arrivals(const Arrivals &) = delete;
  Arrivals & operator=(const Arrivals &) = delete;

  /// So many items have been announced, and lie there already. 0: some, nobody says how many.
  void announce(std::size_t count) noexcept {
    if (count == 0) return look();
    announced_.fetch_add(count, std::memory_order_release);
  }
  /// Items may lie there that are not announced: the next attempts go on until the queue is empty.
  void look() noexcept { look_.store(true, std::memory_order_release); }

  /// Announced and not settled.
  std::size_t waiting() const noexcept { return announced_.load(std::memory_order_acquire); }
  /// Whether there may be more.
  bool looks() const noexcept { return look_.load(std::memory_order_acquire); }
  /// Whether an attempt to take may find something.
  bool any() const noexcept { return waiting() > 0 || looks(); }
  /// The jobs that this needs: one for each announcement, one for a look. Any number of them may be
  /// pending already.
  std::size_t jobs() const noexcept { return waiting() + (looks() ? 1 : 0); }
  /// Whether to release one more job, to be asked by who takes at the end of each: more are needed
  /// than the `queue` that may be pending at a time, or a look has found something and is to go on.
  bool claim_job(std::size_t queue) noexcept {
    // What cannot be read would be tried for ever.
    const std::size_t needed = failed_ ? waiting() : jobs();
    if (needed == 0) return false;
    if (needed < queue) return needed == 1 && std::exchange(look_needs_job_, false);
    // One for each that is needed, the look among them, or as many as may be pending.
    if (!failed_) look_needs_job_ = false;
    return true;
  }

  /// Takes at most `most` items and returns how many were delivered. `take` makes one attempt and
  /// says what became of it. What is announced meanwhile is left to the job that it releases. What
  /// `take` throws goes through, and the item of that attempt counts as taken.
  template <typename TakeT>
  std::size_t take(std::size_t most, const TakeT & take) {
    Look look(look_);
    std::size_t due = waiting();  // announced until now and not settled
    std::size_t delivered = 0;
    std::size_t in_vain = 0;  // attempts in a row
    bool looked = look_needs_job_;
    while (delivered < most && (due > 0 || (look.on && waiting() == 0))) {
      const bool exact = depth_ != unbounded || due > 0;
      const std::size_t enough = exact ? depth_ : longest_look;
      if (due > 0) {
        --due;
        announced_.fetch_sub(1, std::memory_order_relaxed);
      } else {
        looked = true;
      }
      // As it is if `take` throws.
      look_needs_job_ = looked;
      failed_ = false;
      const Taken taken = take();
      failed_ = taken == Taken::failed;
      if (failed_) {
        look.on = looked = true;
        break;
      }
      if (taken == Taken::one) ++delivered;
      in_vain = taken == Taken::unknown ? in_vain + 1 : 0;
      const bool empty = taken == Taken::none || (enough != unbounded && in_vain >= enough);
      if (!empty) continue;
      announced_.fetch_sub(due, std::memory_order_relaxed);
      due = 0;
      look.on = false;
    }
    look_needs_job_ = look.on && looked;
    return delivered;
  }

  /// Goes on where another one has stopped, from which nobody takes and which nobody tells any more;
  /// may have been told of some itself. Before anything is taken.
  void continue_from(const Arrivals & other) noexcept {
    announced_.fetch_add(other.waiting(), std::memory_order_release);
    if (other.look_.load(std::memory_order_acquire)) look();
  }

 private:
  /// Attempts in a row that give nothing before an unbounded queue is taken to hold nothing that is
  /// not announced.
  static constexpr std::size_t longest_look = 1000;

  /// Off while somebody looks, so that who asks for a look meanwhile gets another one.
  struct Look {
    explicit Look(std::atomic<bool> & asked) noexcept
        : on(asked.load(std::memory_order_relaxed) &&
             asked.exchange(false, std::memory_order_acq_rel)),
          asked_(asked) {}
    ~Look() {
      if (on) asked_.store(true, std::memory_order_release);
    }
    Look(const Look &) = delete;
    Look & operator=(const Look &) = delete;

    bool on;

   private:
    std::atomic<bool> & asked_;
  };

  const std::size_t depth_;
  std::atomic<std::size_t> announced_ = 0;
  std::atomic<bool> look_ = false;
  // Of who takes.
  bool failed_ = false;          // the last attempt
  bool look_needs_job_ = false;  // the one released for it was used
};

}  // namespace takt::tasks
