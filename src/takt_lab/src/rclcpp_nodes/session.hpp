// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <rclcpp/executor.hpp>
#include <rclcpp/timer.hpp>
#include <string>
#include <takt_core/tasks/scheduling_controls.hpp>

namespace takt::lab {

/// rclcpp, as long as this lives, and one of the executors for its nodes. One at a time in a process.
class RclcppSession {
 public:
  /// `options` are for takt's. Throws what the executor does.
  RclcppSession(const std::string & executor, const SchedulingOptions & options,
                std::optional<std::size_t> domain = {});
  /// Nodes, timers and what they own must have gone.
  ~RclcppSession();
  RclcppSession(const RclcppSession &) = delete;
  RclcppSession & operator=(const RclcppSession &) = delete;

  ::rclcpp::Executor & executor() noexcept { return *executor_; }
  /// Of takt's executor; nullptr: it is rclcpp's.
  SchedulingControls * controls() noexcept { return controls_; }

 private:
  std::shared_ptr<::rclcpp::Executor> executor_;
  SchedulingControls * controls_;
};

/// Moves the grid of a timer: its first release is at `first`. Throws Error.
void begin_at(const ::rclcpp::TimerBase::SharedPtr & timer, model::Time first);

/// The number on its grid of the release that a call makes up for; the nearest.
std::uint64_t index_of(model::Time expected, model::Time first, model::Duration period) noexcept;

}  // namespace takt::lab
