// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <takt_core/executor/options.hpp>
#include <takt_core/executor/processor.hpp>
#include <takt_core/model/types.hpp>
#include <vector>

#include "record.hpp"

namespace takt::lab {

/// The executors for nodes of rclcpp: its own, and takt's.
const std::vector<std::string> & rclcpp_executors();
bool is_rclcpp_executor(const std::string & name);

/// Empty timers of rclcpp nodes under one of them. Their callbacks read the clock when they begin,
/// which takt's own need not. One at a time in a process.
class RclcppTimers {
 public:
  /// `policy` is takt's. Throws Error if this was built without rclcpp.
  RclcppTimers(const std::string & executor, const std::string & policy, int cpu,
               std::uint32_t nodes);
  ~RclcppTimers();
  RclcppTimers(const RclcppTimers &) = delete;
  RclcppTimers & operator=(const RclcppTimers &) = delete;

  /// To a node in turn. `record` must outlive this.
  void add(model::Duration period, model::Duration phase, TaskRecord & record);
  /// Moves the grids of all timers: releases lie at t0 + phase + k * period.
  void set_start(model::Time t0);
  void spin();
  /// Any thread.
  void cancel();
  /// Of takt's executor; nothing of rclcpp's.
  executor::Grants grants() const;
  static std::string rmw();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace takt::lab
