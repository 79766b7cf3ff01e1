// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rcl/time.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>

#include "takt/time.hpp"
#include "takt_core/os/pi_mutex.hpp"
#include "takt_core/os/recursive_pi_mutex.hpp"

namespace takt {

/// What a clock's time comes from, before and after.
enum class ClockChange : std::uint8_t {
  none,         ///< the same as before
  activated,    ///< now /clock, before the system's clock
  deactivated,  ///< now the system's clock, before /clock
};

/// A clock on ROS time went on, or jumped.
struct TimeUpdate {
  std::int64_t now_ns = 0;  ///< the new time
  Duration delta{};         ///< new minus old; below zero: the clock went back. 0 with a change
  ClockChange change = ClockChange::none;
};

struct JumpThreshold {
  bool on_clock_change = true;
  Duration min_forward{};   ///< jumps of this length and more; 0: none
  Duration min_backward{};  ///< the same for jumps back, as a negative number; 0: none
};

/// Tells the time: the system's, the steady, or ROS time (see ClockType).
class Clock {
 public:
  using SharedPtr = std::shared_ptr<Clock>;
  /// Ends a registration when the last copy goes; on return the function is not being called,
  /// unless the function itself lets go of it.
  using Handle = std::shared_ptr<void>;

  /// Throws RclError. Allocates.
  explicit Clock(ClockType type = ClockType::system);
  Clock(const Clock &) = delete;
  Clock & operator=(const Clock &) = delete;

  /// Any thread; neither allocates nor blocks. ROS time is 0 until the first message on /clock that
  /// comes to this node, or came to another of its context that follows it, too.
  Time now() const { return Time(now_ns(), type_); }
  std::int64_t now_ns() const noexcept;
  ClockType get_clock_type() const noexcept { return type_; }
  /// Whether this clock follows /clock. Any thread; never blocks.
  bool ros_time_is_active() const noexcept;

  /// `before` and `after` are called around every change beyond the threshold, on the thread that
  /// changes the time (`takt.clock` for a node's clock); either may be empty. They must not block,
  /// nor set parameters of the node. Any thread; allocates; Error for a threshold of wrong sign.
  Handle create_jump_callback(std::function<void()> before,
                              std::function<void(const TimeUpdate &)> after,
                              const JumpThreshold & threshold = {});
  /// `function` is called after every change of ROS time, on the thread that makes it. A clock of
  /// another type never calls it. It must not block, nor set parameters of the node. Any thread;
  /// allocates.
  Handle on_update(std::function<void(const TimeUpdate &)> function);

  // ---- for the source of ROS time ---------------------------------------------------------------

  // They call the functions registered, and throw Error if this is not a clock of ROS time.

  /// From now on the time is what set_ros_time says (at first what it said last, or 0). Idempotent.
  void activate_ros_time();
  /// From now on it is the system's again. Idempotent.
  void deactivate_ros_time();
  /// Throws Error if ROS time is not active.
  void set_ros_time(std::int64_t now_ns);
  /// While it lives, which is no longer than the clock, only this thread makes changes; others wait
  /// for it, and pass on their priority. Blocks until a change of another thread is made.
  [[nodiscard]] std::unique_lock<os::RecursivePiMutex> hold_changes() const;

  // ---- for rcl timers ---------------------------------------------------------------------------

  /// The rcl clock, alive as long as the pointer. Making and ending rcl timers on it needs mutex().
  std::shared_ptr<rcl_clock_t> rcl_clock() const noexcept;
  os::PiMutex & mutex() const noexcept;

 private:
  struct State;
  void require_ros_time() const;

  ClockType type_;
  std::shared_ptr<State> state_;  // shared with handles, which may outlive the clock
};

}  // namespace takt
