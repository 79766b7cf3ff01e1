// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <builtin_interfaces/msg/duration.hpp>
#include <builtin_interfaces/msg/time.hpp>
#include <compare>
#include <cstdint>

#include "takt_core/tasks/duration.hpp"

namespace takt {

/// The time source of a clock.
enum class ClockType : std::uint8_t {
  system,  ///< CLOCK_REALTIME, nanoseconds since 1970; jumps when the clock is set
  ros,     ///< /clock (simulated time) while `use_sim_time` is true, else CLOCK_REALTIME
  steady,  ///< CLOCK_MONOTONIC; never jumps
};

const char * to_string(ClockType type) noexcept;

/// An instant of a clock of one type. Comparing or subtracting instants of different clock types throws
/// std::invalid_argument. No function allocates unless it throws.
class Time {
 public:
  /// An instant in nanoseconds of the clock, or in seconds and nanoseconds.
  constexpr explicit Time(std::int64_t nanoseconds = 0, ClockType type = ClockType::system) noexcept
      : nanoseconds_(nanoseconds), type_(type) {}
  constexpr Time(std::int32_t seconds, std::uint32_t nanoseconds,
                 ClockType type = ClockType::system) noexcept
      : nanoseconds_(seconds * giga + nanoseconds), type_(type) {}
  /// Converts the stamp of a message, which by default is an instant of ROS time.
  Time(const builtin_interfaces::msg::Time & message, ClockType type = ClockType::ros) noexcept;

  /// Converts to the stamp of a message. Throws std::out_of_range if the instant is negative or beyond the
  /// year 2038, which the message type cannot represent.
  operator builtin_interfaces::msg::Time() const;

  /// The instant in nanoseconds; seconds() in seconds.
  constexpr std::int64_t nanoseconds() const noexcept { return nanoseconds_; }
  constexpr double seconds() const noexcept { return static_cast<double>(nanoseconds_) / giga; }
  constexpr ClockType get_clock_type() const noexcept { return type_; }

  // Arithmetic is in nanoseconds and not checked for overflow.
  Time & operator+=(Duration d) noexcept;
  Time & operator-=(Duration d) noexcept;
  friend Time operator+(Time t, Duration d) noexcept { return t += d; }
  friend Time operator+(Duration d, Time t) noexcept { return t += d; }
  friend Time operator-(Time t, Duration d) noexcept { return t -= d; }
  friend Duration operator-(const Time & a, const Time & b) {
    a.require_same(b);
    return Duration(a.nanoseconds_ - b.nanoseconds_);
  }
  friend bool operator==(const Time & a, const Time & b) {
    a.require_same(b);
    return a.nanoseconds_ == b.nanoseconds_;
  }
  friend std::strong_ordering operator<=>(const Time & a, const Time & b) {
    a.require_same(b);
    return a.nanoseconds_ <=> b.nanoseconds_;
  }

 private:
  static constexpr std::int64_t giga = 1'000'000'000;
  void require_same(const Time & other) const;

  std::int64_t nanoseconds_;
  ClockType type_;
};

/// Convert between a duration and a message. to_message() throws std::out_of_range if the message type
/// cannot represent the duration (beyond 68 years).
builtin_interfaces::msg::Duration to_message(Duration duration);
Duration from_message(const builtin_interfaces::msg::Duration & message) noexcept;

}  // namespace takt
