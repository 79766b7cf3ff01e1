// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "late_check.hpp"

#include <algorithm>
#include <exception>
#include <rclcpp/logging.hpp>
#include <utility>

#include "takt_core/tasks/task_names.hpp"

namespace takt::rclcpp {

LateCheck::LateCheck(SchedulingExecutor & executor, takt::SchedulingStrategy::SharedPtr strategy,
                     std::chrono::nanoseconds after)
    : executor_(executor),
      strategy_(std::move(strategy)),
      after_(after),
      thread_([this] { run(); }) {}

LateCheck::~LateCheck() {
  {
    const takt::os::Lock lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void LateCheck::look_again() {
  {
    const takt::os::Lock lock(mutex_);
    component_loaded_ = true;
  }
  changed_.notify_all();
}

void LateCheck::run() {
  {
    takt::os::UniqueLock lock(mutex_);
    if (changed_.wait_for(lock, after_, [this]() TAKT_REQUIRES(mutex_) { return ending_; })) return;
  }
  while (!try_strategy()) {
    if (!wait()) return;
  }
}

bool LateCheck::wait() {
  constexpr std::chrono::nanoseconds least = std::chrono::seconds(1);
  takt::os::UniqueLock lock(mutex_);
  changed_.wait_for(lock, std::max(after_, least),
                    [this]() TAKT_REQUIRES(mutex_) { return ending_ || component_loaded_; });
  component_loaded_ = false;
  return !ending_;
}

bool LateCheck::try_strategy() {
  const auto logger = ::rclcpp::get_logger("takt_component_container");
  try {
    executor_.set_scheduling_strategy(strategy_);
    RCLCPP_INFO(logger, "the strategy fits the loaded components%s",
                logged_problems_.empty() ? "" : "; what was missing has been loaded");
    return true;
  } catch (const std::exception & error) {
    const std::string what = error.what();
    // Compared without the list of known names, which changes as components are loaded.
    if (!logged_problems_.insert(tasks::TaskNames::without_list(what)).second) return false;
    const bool missing = what.find("there is no such task") != std::string::npos;
    RCLCPP_WARN(logger, "%s%s", what.c_str(),
                missing ? "; if that is loaded later, mark it as optional: true" : "");
    return false;
  }
}

}  // namespace takt::rclcpp
