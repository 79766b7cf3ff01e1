// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <set>
#include <string>
#include <thread>

#include "takt_core/os/condition.hpp"
#include "takt_rclcpp/scheduling_executor.hpp"

namespace takt::rclcpp {

/// After a while, when a launch file has loaded its components, the file holds to the letter. If it
/// cannot, that is told, what fits goes on to hold, and it is tried again as components come; that it
/// fits at last is told, too.
class LateCheck {
 public:
  LateCheck(SchedulingExecutor & executor, takt::SchedulingStrategy::SharedPtr strategy,
            std::chrono::nanoseconds after);
  ~LateCheck();
  LateCheck(const LateCheck &) = delete;
  LateCheck & operator=(const LateCheck &) = delete;

  /// A component has come. Any thread.
  void look_again();

 private:
  void run();
  /// Waits until a component comes, or for so long where nothing tells of a callback that is made
  /// later. False: it ends.
  bool wait();
  /// Whether it fits.
  bool try_it();

  SchedulingExecutor & executor_;
  const takt::SchedulingStrategy::SharedPtr strategy_;
  const std::chrono::nanoseconds after_;
  std::set<std::string> told_;  // what is wrong
  takt::os::Mutex mutex_{takt::os::LockRank::program};
  takt::os::Condition changed_;
  bool ending_ TAKT_GUARDED_BY(mutex_) = false;
  bool came_ TAKT_GUARDED_BY(mutex_) = false;
  std::thread thread_;  // the last: it uses the others
};

}  // namespace takt::rclcpp
