// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rclcpp/waitable.hpp>

#include <cstdint>
#include <optional>

namespace takt::rclcpp {

/// What can be read in the status that was taken of an event, which is not nullptr.
struct EventStatus {
  /// Whether it tells of something that has changed since it was taken last.
  bool (*is_new)(const void * taken) = nullptr;
  std::optional<std::uint64_t> (*announced_total)(const void * taken) = nullptr;
};

/// Of two changes that come at once the middleware tells twice, and whoever takes first has both. Without functions:
/// the waitable is no event of a publisher or subscription. Does not allocate.
EventStatus status_of(const ::rclcpp::Waitable & waitable) noexcept;

}  // namespace takt::rclcpp
