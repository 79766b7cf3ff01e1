// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <takt_core/executor/processor.hpp>
#include <takt_core/model/types.hpp>

#include "start_log.hpp"

namespace takt::lab {

/// Empty timers of rclcpp nodes under one of rclcpp_executors(), or under rclcpp_floor. Their
/// callbacks read the clock when they begin, which takt's own need not. One at a time in a process.
class RclcppTimers {
 public:
  RclcppTimers() = default;
  virtual ~RclcppTimers() = default;
  RclcppTimers(const RclcppTimers &) = delete;
  RclcppTimers & operator=(const RclcppTimers &) = delete;

  /// To a node in turn. Its jobs are those of the task of this number in `log`, which must outlive
  /// this: 0 for the first, and so on.
  virtual void add(model::Duration period, model::Duration phase, StartLog & log) = 0;
  /// Moves the grids of all timers: releases lie at t0 + phase + k * period.
  virtual void set_start(model::Time t0) = 0;
  virtual void spin() = 0;
  /// Any thread.
  virtual void cancel() = 0;
  /// Of takt's executor; nothing of rclcpp's.
  virtual takt::executor::Grants grants() = 0;
};

/// `policy` is takt's. Throws Error if this was built without rclcpp.
std::unique_ptr<RclcppTimers> make_rclcpp_timers(const std::string & executor,
                                                 const std::string & policy, int cpu,
                                                 std::uint32_t nodes);

}  // namespace takt::lab
