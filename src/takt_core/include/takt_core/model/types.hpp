// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

/// Scheduling as a pure state machine: no thread, no clock, no system call, no ROS.
namespace takt::model {

/// An instant in nanoseconds. The executor feeds CLOCK_MONOTONIC, the simulator virtual time.
using Time = std::int64_t;
/// A length of time in nanoseconds.
using Duration = std::int64_t;

/// An instant that never comes; also the relative deadline of a task that has none.
inline constexpr Time never = std::numeric_limits<Time>::max();
/// Instants and lengths beyond this (36 years either way) are refused, so that sums never overflow.
inline constexpr Time furthest = Time{1} << 60;

/// Index of a task; stable while the task exists, reused after it was removed.
using TaskId = std::uint32_t;
/// Index of a group of callbacks; stable while the group exists.
using GroupId = std::uint32_t;
inline constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

/// Preemption level: a job may preempt another only if its level is higher. 1 is the lowest, levels
/// are dense, 0 means "nothing started".
using Level = std::uint32_t;

/// How urgent a job is among the pending ones: the smaller number goes first.
using Urgency = std::int64_t;

}  // namespace takt::model
