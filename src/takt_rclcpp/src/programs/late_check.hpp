// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <set>
#include <string>
#include <thread>

#include "takt_core/os/condition.hpp"
#include "takt_rclcpp/scheduling_executor.hpp"

namespace takt::rclcpp {

/// Checks the strategy file strictly after some time, when a launch file should have loaded all of its
/// components. If the strategy does not fit, a warning is logged, the parts that fit stay in force, and
/// the check is repeated when components are loaded. Also logs that the strategy fits.
class LateCheck {
 public:
  LateCheck(SchedulingExecutor & executor, takt::SchedulingStrategy::SharedPtr strategy,
            std::chrono::nanoseconds after);
  ~LateCheck();
  LateCheck(const LateCheck &) = delete;
  LateCheck & operator=(const LateCheck &) = delete;

  /// Called when a component has been loaded. Any thread.
  void look_again();

 private:
  void run();
  /// Waits until a component is loaded, or for some time, because callbacks that a component creates later
  /// are not announced. Returns false if the object is being destroyed.
  bool wait();
  /// Sets the strategy; returns whether it fits.
  bool try_strategy();

  SchedulingExecutor & executor_;
  const takt::SchedulingStrategy::SharedPtr strategy_;
  const std::chrono::nanoseconds after_;
  std::set<std::string> logged_problems_;  // the problems that have been logged
  takt::os::Mutex mutex_{takt::os::LockRank::program};
  takt::os::Condition changed_;
  bool ending_ TAKT_GUARDED_BY(mutex_) = false;
  bool component_loaded_ TAKT_GUARDED_BY(mutex_) = false;
  std::thread thread_;  // the last member, because it uses the others
};

}  // namespace takt::rclcpp
