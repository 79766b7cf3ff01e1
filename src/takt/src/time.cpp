// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt/time.hpp"

#include <limits>
#include <stdexcept>
#include <string>

namespace takt {
namespace {

constexpr std::int64_t giga = 1'000'000'000;

/// Splits a time into the seconds and nanoseconds of a message. The nanoseconds are never negative: for a
/// negative time, the seconds are rounded down. Throws std::out_of_range.
template <typename Message>
Message split(std::int64_t nanoseconds, const char * what) {
  std::int64_t seconds = nanoseconds / giga;
  std::int64_t rest = nanoseconds % giga;
  if (rest < 0) {
    rest += giga;
    --seconds;
  }
  if (seconds > std::numeric_limits<std::int32_t>::max() ||
      seconds < std::numeric_limits<std::int32_t>::min()) {
    throw std::out_of_range(std::string(what) + " of " + std::to_string(nanoseconds) +
                            " ns does not fit into a message, which has 32 bits of seconds");
  }
  Message message;
  message.sec = static_cast<std::int32_t>(seconds);
  message.nanosec = static_cast<std::uint32_t>(rest);
  return message;
}

}  // namespace

const char * to_string(ClockType type) noexcept {
  switch (type) {
    case ClockType::system:
      return "system";
    case ClockType::ros:
      return "ros";
    case ClockType::steady:
      return "steady";
  }
  return "unknown";
}

Time::Time(const builtin_interfaces::msg::Time & message, ClockType type) noexcept
    : Time(message.sec, message.nanosec, type) {}

Time::operator builtin_interfaces::msg::Time() const {
  if (nanoseconds_ < 0) {
    throw std::out_of_range("an instant of " + std::to_string(nanoseconds_) +
                            " ns does not fit into a message: it is negative");
  }
  return split<builtin_interfaces::msg::Time>(nanoseconds_, "an instant");
}

Time & Time::operator+=(Duration d) noexcept {
  nanoseconds_ += d.count();
  return *this;
}

Time & Time::operator-=(Duration d) noexcept {
  nanoseconds_ -= d.count();
  return *this;
}

void Time::require_same(const Time & other) const {
  if (type_ == other.type_) return;
  throw std::invalid_argument(std::string("an instant of the ") + to_string(type_) +
                              " clock cannot be compared with one of the " +
                              to_string(other.type_) + " clock");
}

builtin_interfaces::msg::Duration to_message(Duration duration) {
  return split<builtin_interfaces::msg::Duration>(duration.count(), "a duration");
}

Duration from_message(const builtin_interfaces::msg::Duration & message) noexcept {
  return std::chrono::seconds(message.sec) + Duration(message.nanosec);
}

}  // namespace takt
