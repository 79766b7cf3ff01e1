// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "takt_core/model/types.hpp"

namespace takt::executor {

// An executor numbers tasks and groups over all its processors, a model those of its processor alone.
// They are types of their own so that none is taken for the model's index.

/// Number of a task; stable while it exists, reused after it was removed.
enum class TaskId : std::uint32_t { none = model::none };
/// Number of a group of tasks; likewise.
enum class GroupId : std::uint32_t { none = model::none };

/// As traces show it.
constexpr std::uint32_t to_number(TaskId task) noexcept {
  return static_cast<std::uint32_t>(task);
}
constexpr std::uint32_t to_number(GroupId group) noexcept {
  return static_cast<std::uint32_t>(group);
}

}  // namespace takt::executor
