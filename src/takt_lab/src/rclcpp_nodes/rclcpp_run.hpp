// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <takt_core/model/types.hpp>
#include <takt_core/tasks/scheduling_controls.hpp>

#include "application.hpp"

namespace takt::lab {

/// A spec as nodes of rclcpp in one process, under one of rclcpp_executors(). The nodes exchange
/// messages inside the process; callbacks that exclude each other are in one callback group, those
/// that do not have one each, with their subscriptions: rclcpp's executors would otherwise run a
/// callback twice at a time. One at a time in a process.
class RclcppRun {
 public:
  RclcppRun() = default;
  virtual ~RclcppRun() = default;
  RclcppRun(const RclcppRun &) = delete;
  RclcppRun & operator=(const RclcppRun &) = delete;

  virtual Application & application() = 0;
  /// Of takt's executor, which then knows the timing that the spec gives; nullptr: it is rclcpp's.
  virtual SchedulingControls * controls() = 0;
  /// Releases lie at t0 + phase + k * period.
  virtual void set_start(model::Time t0) = 0;
  virtual void spin() = 0;
  /// Any thread.
  virtual void cancel() = 0;
};

/// `options` are for takt's; `spec` and `work` must outlive it, grids are `length` long. Throws Error
/// if this was built without rclcpp, and for what the spec asks in vain.
std::unique_ptr<RclcppRun> make_rclcpp_run(const std::string & executor,
                                           const SchedulingOptions & options, const Spec & spec,
                                           const Work & work, model::Duration length);

}  // namespace takt::lab
