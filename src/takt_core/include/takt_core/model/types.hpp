// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

/// Scheduling as a deterministic state machine: no thread, no clock, no system call, no ROS.
namespace takt::model {

/// An instant in ns. The executor uses CLOCK_MONOTONIC, the simulator virtual time.
using Time = std::int64_t;
/// A length of time in ns.
using Duration = std::int64_t;

/// An instant that is never reached; also the relative deadline of a task without one.
inline constexpr Time never = std::numeric_limits<Time>::max();
/// The greatest distance of an instant from 0, and the greatest length of time (36 years). Larger
/// values are rejected, so that sums do not overflow.
inline constexpr Time furthest = Time{1} << 60;

/// The index of a task: stable while the task exists, reused after its removal.
using TaskId = std::uint32_t;
/// The index of a group of callbacks: stable while the group exists.
using GroupId = std::uint32_t;
/// The number that stands for no task or no group.
inline constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

/// A preemption level: a job may preempt another only if its level is higher. Levels are
/// consecutive from 1, the lowest; 0 means "nothing started".
using Level = std::uint32_t;

/// The urgency of a job among the pending ones: the job with the smaller number goes first.
using Urgency = std::int64_t;

}  // namespace takt::model
