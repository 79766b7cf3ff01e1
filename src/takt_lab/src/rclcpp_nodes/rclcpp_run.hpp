// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <takt_core/model/types.hpp>
#include <takt_core/tasks/scheduling_controls.hpp>

#include "application.hpp"

namespace takt::lab {

/// A spec with rclcpp nodes in one process, under one of rclcpp_executors(). The nodes use intra-process
/// communication. Callbacks that exclude each other are in one callback group. The others have one group
/// each, with their subscriptions, because rclcpp's executors would otherwise run a callback twice at a
/// time. One at a time in a process.
class RclcppRun {
 public:
  RclcppRun() = default;
  virtual ~RclcppRun() = default;
  RclcppRun(const RclcppRun &) = delete;
  RclcppRun & operator=(const RclcppRun &) = delete;

  virtual Application & application() = 0;
  /// The interface of takt's executor, which knows the timing of the spec; nullptr under rclcpp's executors.
  virtual SchedulingControls * controls() = 0;
  /// Sets the origin of the grid: releases lie at t0 + phase + k * period.
  virtual void set_start(model::Time t0) = 0;
  virtual void spin() = 0;
  /// Any thread.
  virtual void cancel() = 0;
};

/// Creates the run. `options` are for takt's executor; `length` is that of the release grids in ns; `spec` and
/// `work` must outlive the object. Throws Error if this program was built without rclcpp, and for settings
/// of the spec that are not possible.
std::unique_ptr<RclcppRun> make_rclcpp_run(const std::string & executor,
                                           const SchedulingOptions & options, const Spec & spec,
                                           const Work & work, model::Duration length);

}  // namespace takt::lab
