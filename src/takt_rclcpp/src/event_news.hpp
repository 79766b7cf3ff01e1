// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rclcpp/waitable.hpp>

#include <cstdint>
#include <optional>

namespace takt::rclcpp {

/// Functions that read the status taken from an event, which must not be nullptr.
struct EventStatus {
  /// Returns whether it reports a change since it was taken last.
  bool (*is_new)(const void * taken) = nullptr;
  /// Returns tasks::announced_total of it.
  std::optional<std::uint64_t> (*announced_total)(const void * taken) = nullptr;
};

/// Returns the functions for this kind of event; nullptr for both if the waitable is no event of a publisher or
/// subscription. They are needed because the middleware announces two simultaneous changes twice, but the first take
/// returns both. Does not allocate.
EventStatus status_of(const ::rclcpp::Waitable & waitable) noexcept;

}  // namespace takt::rclcpp
