// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <takt_core/executor/processor.hpp>
#include <takt_core/model/types.hpp>

#include "start_log.hpp"

namespace takt::lab {

/// Empty timers of rclcpp nodes under one of rclcpp_executors(), or under rclcpp_floor. Their callbacks read
/// the clock at the beginning, unlike those of takt's own nodes. One at a time in a process.
class RclcppTimers {
 public:
  RclcppTimers() = default;
  virtual ~RclcppTimers() = default;
  RclcppTimers(const RclcppTimers &) = delete;
  RclcppTimers & operator=(const RclcppTimers &) = delete;

  /// Adds a timer to the nodes in turn. The first timer's jobs are recorded in `log` as those of task 0, and so
  /// on. `log` must outlive the object.
  virtual void add(model::Duration period, model::Duration phase, StartLog & log) = 0;
  /// Moves the grids of all timers: releases lie at t0 + phase + k * period.
  virtual void set_start(model::Time t0) = 0;
  virtual void spin() = 0;
  /// Any thread.
  virtual void cancel() = 0;
  /// The grants of takt's executor; empty under rclcpp's executors.
  virtual takt::executor::Grants grants() = 0;
};

/// Creates the timers' nodes and executor. `policy` is for takt's executor. Throws Error if this program was
/// built without rclcpp.
std::unique_ptr<RclcppTimers> make_rclcpp_timers(const std::string & executor,
                                                 const std::string & policy, int cpu,
                                                 std::uint32_t nodes);

}  // namespace takt::lab
