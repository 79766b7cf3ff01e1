// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rclcpp/waitable.hpp>

namespace takt::rclcpp {

/// Returns whether the data taken from an event, not nullptr, reports a change since it was taken last.
using IsNew = bool (*)(const void * taken);

/// Returns the function for this kind of event; nullptr if the waitable is no event of a publisher or
/// subscription. It is needed because the middleware announces two simultaneous changes twice, but the
/// first take returns both. Does not allocate.
IsNew news_of(const ::rclcpp::Waitable & waitable) noexcept;

}  // namespace takt::rclcpp
