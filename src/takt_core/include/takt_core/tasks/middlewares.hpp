// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <string_view>

/// The middlewares that front ends stand on, by the identifiers of their RMW implementations.
namespace takt::tasks {

/// Those that takt was tested and measured over.
inline constexpr std::array<std::string_view, 2> tried_middlewares = {"rmw_fastrtps_cpp",
                                                                      "rmw_cyclonedds_cpp"};

/// Whether it is one of them. Allocates nothing.
bool was_tried(std::string_view rmw) noexcept;

/// What the interface of an RMW implementation does not tell. Each allocates nothing; any thread.
/// Whether it counts a reader of its own process as soon as that is made.
bool counts_inside_at_once(std::string_view rmw) noexcept;
/// Whether the graph has what this process makes as soon as that is made.
bool graph_is_immediate(std::string_view rmw) noexcept;
/// Whether it forgets, as it is told whom to call of an event, how much has changed, and whom it
/// told before.
bool forgets_events(std::string_view rmw) noexcept;

/// A warning for people of what may differ over one that is none of them: a line, the first time in
/// this process that any front end asks; empty otherwise. Any thread; allocates.
std::string warn_once_of_untried(std::string_view rmw);

}  // namespace takt::tasks
