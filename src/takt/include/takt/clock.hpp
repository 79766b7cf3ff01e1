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

/// Whether the source of a clock's time has changed, and how.
enum class ClockChange : std::uint8_t {
  none,         ///< the source is the same as before
  activated,    ///< the source was the system clock and is now /clock (simulated time)
  deactivated,  ///< the source was /clock and is now the system clock
};

/// A change of a ROS time clock: it advanced, jumped, or changed its source.
struct TimeUpdate {
  std::int64_t now_ns = 0;  ///< the new time, in ns
  /// New minus old time; negative if the clock went back. 0 if the source changed.
  Duration delta{};
  ClockChange change = ClockChange::none;
};

/// The changes of a clock that call a jump callback.
struct JumpThreshold {
  bool on_clock_change = true;  ///< whether a change of the source counts
  Duration min_forward{};       ///< smallest forward jump that counts, at least 0; 0: none counts
  Duration min_backward{};      ///< smallest backward jump that counts, at most 0; 0: none counts
};

/// A clock of one of the types that ClockType lists: system time, steady time or ROS time.
class Clock {
 public:
  using SharedPtr = std::shared_ptr<Clock>;
  /// Keeps a function registered. Destroying the last copy removes the registration and blocks until
  /// a call in progress has returned, unless the function itself destroys the handle.
  using Handle = std::shared_ptr<void>;

  /// Throws RclError. Allocates.
  explicit Clock(ClockType type = ClockType::system);
  Clock(const Clock &) = delete;
  Clock & operator=(const Clock &) = delete;

  /// The current time; now_ns() in ns. Any thread; neither allocates nor blocks. Simulated ROS time is
  /// 0 until the first message on /clock has been received by this node, or by another node of its
  /// context that follows the same /clock.
  Time now() const { return Time(now_ns(), type_); }
  std::int64_t now_ns() const noexcept;
  ClockType get_clock_type() const noexcept { return type_; }
  /// Returns whether this clock follows /clock (simulated time). Any thread; never blocks.
  bool ros_time_is_active() const noexcept;

  /// Registers functions that are called before and after every change that `threshold` selects, on
  /// the thread that changes the time (`takt.clock` for a node's clock). Either may be empty. They
  /// must neither block nor set parameters of the node. Any thread; allocates. Throws Error for a
  /// threshold of the wrong sign.
  Handle create_jump_callback(std::function<void()> before,
                              std::function<void(const TimeUpdate &)> after,
                              const JumpThreshold & threshold = {});
  /// Registers a function that is called after every change of ROS time, on the thread that changes
  /// it. A clock of another type never calls it. It must neither block nor set parameters of the
  /// node. Any thread; allocates.
  Handle on_update(std::function<void(const TimeUpdate &)> function);

  // ---- for the source of ROS time ---------------------------------------------------------------

  // The first three functions call the registered functions before they return, and throw Error if
  // this is not a ROS time clock. Any thread; they block while another thread changes the time.

  /// Makes set_ros_time() the source of the time. Until its next call, the time is the value set last,
  /// or 0. Idempotent.
  void activate_ros_time();
  /// Makes the system clock the source of the time again. Idempotent.
  void deactivate_ros_time();
  /// Sets the simulated time, in ns. Throws Error if simulated time is not active.
  void set_ros_time(std::int64_t now_ns);
  /// Returns a lock, which must not outlive the clock. While it is held, only the calling thread can
  /// change the time; other threads block and lend it their priority. Blocks until a change that
  /// another thread has begun is complete.
  [[nodiscard]] std::unique_lock<os::RecursivePiMutex> hold_changes() const;

  // ---- for rcl timers ---------------------------------------------------------------------------

  /// The rcl clock, which stays valid as long as the returned pointer exists. mutex() must be held
  /// while rcl timers are created on it or finalised.
  std::shared_ptr<rcl_clock_t> rcl_clock() const noexcept;
  os::PiMutex & mutex() const noexcept;

 private:
  struct State;
  void require_ros_time() const;

  ClockType type_;
  std::shared_ptr<State> state_;  // shared with the handles, which may outlive the clock
};

}  // namespace takt
