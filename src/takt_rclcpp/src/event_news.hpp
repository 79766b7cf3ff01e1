// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rclcpp/waitable.hpp>

namespace takt::rclcpp {

/// Whether what was taken of an event, which is not nullptr, tells of something that has changed since it
/// was taken last.
using IsNew = bool (*)(const void * taken);

/// Of two changes that come at once the middleware tells twice, and whoever takes first has both. nullptr:
/// the waitable is no event of a publisher or subscription. Does not allocate.
IsNew news_of(const ::rclcpp::Waitable & waitable) noexcept;

}  // namespace takt::rclcpp
