// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>

namespace takt::rclcpp {

enum class Taken {
  one,
  none,    // there was none
  failed,  // one that could not be read
};

/// What has come to an entity and is not taken yet, as far as somebody has told. There may be less:
/// the middleware lets the newest make room, and others may take. There may be more: what lies there
/// as an executor takes a node over was told to the one before. One thread takes at a time.
class Arrivals {
 public:
  Arrivals() = default;
  Arrivals(const Arrivals &) = delete;
  Arrivals & operator=(const Arrivals &) = delete;

  /// So many have come, and lie there already. Any thread; neither blocks nor allocates.
  void came(std::size_t count = 1) noexcept { told_.fetch_add(count, std::memory_order_release); }
  /// How many were told of and not taken. Any thread.
  std::size_t waiting() const noexcept { return told_.load(std::memory_order_acquire); }

  /// Takes one of those that were told of: `take` does, and says what it found. False if there was
  /// none. What `take` throws goes through; the one that it took is taken.
  template <typename TakeT>
  bool take_one(const TakeT & take) {
    const std::size_t told = waiting();
    if (told == 0) return false;
    told_.fetch_sub(1, std::memory_order_relaxed);
    const Taken taken = take();
    if (taken == Taken::failed) untold_ = true;  // it may lie there yet
    if (taken != Taken::none) return true;
    // Of those told of until then none is there any more.
    told_.fetch_sub(told - 1, std::memory_order_relaxed);
    return false;
  }

  /// Takes what nobody told of, if there may be such; what comes meanwhile is told of and left to the
  /// job that it releases.
  template <typename TakeT>
  void take_untold(const TakeT & take) {
    while (untold_ && waiting() == 0) {
      const Taken taken = take();
      untold_ = taken != Taken::none;
      if (taken == Taken::failed) return;
    }
  }

  /// Goes on where the other, of which nobody takes and whom nobody tells, has stopped; may have been
  /// told of some itself. Before anything is taken.
  void continue_from(const Arrivals & other) noexcept {
    told_.fetch_add(other.waiting(), std::memory_order_release);
    untold_ = other.untold_;
  }

 private:
  std::atomic<std::size_t> told_ = 0;
  bool untold_ = true;  // of who takes: there may be some
};

}  // namespace takt::rclcpp
