// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace takt::tasks {

/// The result of an attempt to take one item from a queue of the middleware.
enum class Taken : std::uint8_t {
  one,      ///< an item was taken and delivered
  other,    ///< an item was taken that is not for this callback, such as the middleware's copy of a
            ///< message that was delivered inside the process
  none,     ///< the queue was empty
  unknown,  ///< `other` or `none`: the middleware reports a response to another client and an empty
            ///< queue alike
  failed,   ///< an item could not be read; it may still be in the queue
};

/// Bookkeeping of the items that have arrived in a queue of the middleware and have not been taken.
/// It decides how often to take, so that no item is left in the queue for ever.
///
/// The number of announcements and the number of items differ. There may be fewer items: they were
/// replaced by newer ones, taken by another executor, or are not for this callback. There may be
/// more items: they were announced to another executor or to nobody. So an announcement is settled
/// by one attempt to take, and all announcements made until then are settled when the queue is
/// found empty.
///
/// One thread takes at a time; all other members may be called by any thread. None blocks or
/// allocates.
class Arrivals {
 public:
  /// The depth of a queue without a limit (KEEP_ALL).
  static constexpr std::size_t unbounded = 0;

  /// `depth`: the greatest number of items in the queue, or `unbounded`. After that many
  /// unsuccessful attempts in a row, all items that were in the queue at the first of them are
  /// gone.
  explicit Arrivals(std::size_t depth = unbounded) noexcept : depth_(depth) {}
  Arrivals(const Arrivals &) = delete;
  Arrivals & operator=(const Arrivals &) = delete;

  /// `count` items have been announced and are in the queue. 0: an unknown number.
  void announce(std::size_t count) noexcept {
    if (count == 0) return look();
    announced_.fetch_add(count, std::memory_order_release);
  }
  /// There may be items in the queue that were not announced: the next attempts continue until it
  /// is empty. This is called a look.
  void look() noexcept { look_.store(true, std::memory_order_release); }

  /// The number of announcements that are not settled.
  std::size_t waiting() const noexcept { return announced_.load(std::memory_order_acquire); }
  /// Whether a look is pending: there may be items that were not announced.
  bool looks() const noexcept { return look_.load(std::memory_order_acquire); }
  /// Whether an attempt to take may find an item.
  bool any() const noexcept { return waiting() > 0 || looks(); }
  /// The number of jobs that are needed: one per announcement and one for a look. Some of them may
  /// be pending already.
  std::size_t jobs() const noexcept { return waiting() + (looks() ? 1 : 0); }
  /// Whether to release one more job; to be called by the taking thread at the end of each job.
  /// True if more jobs are needed than the `queue` that can be pending at once, or if a look has
  /// found an item and must continue.
  bool claim_job(std::size_t queue) noexcept {
    // An item that cannot be read must not cause jobs for ever.
    const std::size_t needed = failed_ ? waiting() : jobs();
    if (needed == 0) return false;
    if (needed < queue) return needed == 1 && std::exchange(look_needs_job_, false);
    // Either one job per needed job, the look's among them, or as many as can be pending.
    if (!failed_) look_needs_job_ = false;
    return true;
  }

  /// Takes at most `most` items and returns how many were delivered. `take` makes one attempt and
  /// returns its result. Items announced meanwhile are left to the job that their announcement
  /// releases. Exceptions of `take` are passed on; the item of that attempt counts as taken.
  template <typename TakeT>
  std::size_t take(std::size_t most, const TakeT & take) {
    Look look(look_);
    std::size_t due = waiting();  // announcements so far that are not settled
    std::size_t delivered = 0;
    std::size_t in_vain = 0;  // unsuccessful attempts in a row
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
      // Set before the call, for the case that `take` throws.
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

  /// Takes over the state of another object, which is not used any more, in addition to
  /// announcements that this one may have had. To be called before anything is taken.
  void continue_from(const Arrivals & other) noexcept {
    announced_.fetch_add(other.waiting(), std::memory_order_release);
    if (other.look_.load(std::memory_order_acquire)) look();
  }

 private:
  /// The number of unsuccessful attempts in a row after which an unbounded queue is assumed to hold
  /// no item that was not announced.
  static constexpr std::size_t longest_look = 1000;

  /// Clears the flag while this thread looks, so that a look requested meanwhile is another one.
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
  // Used by the taking thread only.
  bool failed_ = false;          // the last attempt failed
  bool look_needs_job_ = false;  // the job released for the look has been used
};

}  // namespace takt::tasks
