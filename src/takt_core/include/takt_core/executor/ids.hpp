// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "takt_core/model/types.hpp"

namespace takt::executor {

// An executor numbers tasks and groups across all its processors; a processor's scheduling model
// numbers those of its processor. These are different types, so that the compiler reports where one
// is used for the other.

/// The number of a task: stable while the task exists, reused after its removal.
enum class TaskId : std::uint32_t { none = model::none };
/// The number of a group of tasks: stable while the group exists, reused after its removal.
enum class GroupId : std::uint32_t { none = model::none };

/// The number as an integer, as traces contain it.
constexpr std::uint32_t to_number(TaskId task) noexcept {
  return static_cast<std::uint32_t>(task);
}
constexpr std::uint32_t to_number(GroupId group) noexcept {
  return static_cast<std::uint32_t>(group);
}

}  // namespace takt::executor
