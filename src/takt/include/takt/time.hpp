// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <builtin_interfaces/msg/duration.hpp>
#include <builtin_interfaces/msg/time.hpp>
#include <compare>
#include <cstdint>

#include "takt_core/tasks/duration.hpp"

namespace takt {

/// What a clock counts.
enum class ClockType : std::uint8_t {
  system,  ///< CLOCK_REALTIME, nanoseconds since 1970; may be set
  ros,     ///< what /clock says while `use_sim_time` is true, CLOCK_REALTIME otherwise
  steady,  ///< CLOCK_MONOTONIC; never jumps
};

const char * to_string(ClockType type) noexcept;

/// An instant of one kind of clock. Instants of different kinds do not compare: that throws
/// std::invalid_argument. Nothing here allocates unless it throws.
class Time {
 public:
  constexpr explicit Time(std::int64_t nanoseconds = 0, ClockType type = ClockType::system) noexcept
      : nanoseconds_(nanoseconds), type_(type) {}
  constexpr Time(std::int32_t seconds, std::uint32_t nanoseconds,
                 ClockType type = ClockType::system) noexcept
      : nanoseconds_(seconds * giga + nanoseconds), type_(type) {}
  // A stamp in a message is on ROS time, unless told otherwise.
  Time(const builtin_interfaces::msg::Time & message, ClockType type = ClockType::ros) noexcept;

  /// Throws std::out_of_range if the instant does not fit into a message: below 0 or beyond 2038.
  operator builtin_interfaces::msg::Time() const;

  constexpr std::int64_t nanoseconds() const noexcept { return nanoseconds_; }
  constexpr double seconds() const noexcept { return static_cast<double>(nanoseconds_) / giga; }
  constexpr ClockType get_clock_type() const noexcept { return type_; }

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

/// Throws std::out_of_range if the duration does not fit into a message (beyond 68 years).
builtin_interfaces::msg::Duration to_message(Duration duration);
Duration from_message(const builtin_interfaces::msg::Duration & message) noexcept;

}  // namespace takt
