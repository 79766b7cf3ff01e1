// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <string_view>

/// Properties of the middlewares, by the identifiers of their RMW implementations.
namespace takt::tasks {

/// The RMW implementations with which takt is tested and measured.
inline constexpr std::array<std::string_view, 2> tried_middlewares = {"rmw_fastrtps_cpp",
                                                                      "rmw_cyclonedds_cpp"};

/// Whether `rmw` is one of them. Any thread; does not allocate.
bool was_tried(std::string_view rmw) noexcept;

/// ---- properties that the rmw interface does not reveal. Any thread; do not allocate.
///
/// Whether a publisher counts a subscription of its own process as soon as that is created.
bool counts_inside_at_once(std::string_view rmw) noexcept;
/// Whether the graph contains an entity of this process as soon as that is created.
bool graph_is_immediate(std::string_view rmw) noexcept;
/// Whether setting an event's callback discards the changes counted so far and those reported to
/// the previous callback.
bool forgets_events(std::string_view rmw) noexcept;

/// A warning about an RMW implementation that is not among tried_middlewares: one line at the first
/// call in this process, empty afterwards, and empty for a tried one. Any thread; allocates.
std::string warn_once_of_untried(std::string_view rmw);

}  // namespace takt::tasks
