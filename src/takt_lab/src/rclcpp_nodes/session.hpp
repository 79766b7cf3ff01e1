// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <rclcpp/executor.hpp>
#include <rclcpp/timer.hpp>
#include <string>
#include <takt_core/tasks/scheduling_controls.hpp>

namespace takt::lab {

/// Keeps rclcpp initialised as long as it exists, with one of the executors for its nodes. One at a time in
/// a process.
class RclcppSession {
 public:
  /// `options` are for takt's executor. Throws what the executor throws.
  RclcppSession(const std::string & executor, const SchedulingOptions & options,
                std::optional<std::size_t> domain = {});
  /// Nodes, timers and the like must have been destroyed before.
  ~RclcppSession();
  RclcppSession(const RclcppSession &) = delete;
  RclcppSession & operator=(const RclcppSession &) = delete;

  ::rclcpp::Executor & executor() noexcept { return *executor_; }
  /// The interface of takt's executor; nullptr if the executor is rclcpp's.
  SchedulingControls * controls() noexcept { return controls_; }

 private:
  std::shared_ptr<::rclcpp::Executor> executor_;
  SchedulingControls * controls_;
};

/// Sets the first release of a timer to `first`, and so the origin of its grid. Throws Error.
void begin_at(const ::rclcpp::TimerBase::SharedPtr & timer, model::Time first);

/// Returns the index on the grid of the release to which a call belongs: the nearest one.
std::uint64_t index_of(model::Time expected, model::Time first, model::Duration period) noexcept;

}  // namespace takt::lab
