// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <rclcpp/context.hpp>
#include <string>
#include <vector>

#include "takt_core/os/condition.hpp"
#include "takt_core/os/thread.hpp"

namespace takt::rclcpp {

/// Ends the process as it is, with a line and status 1: nothing that has not returned, as `left` says
/// after so long, can be waited for any longer, and nothing that it may use can be destroyed.
[[noreturn]] void end_without(const std::string & left, std::chrono::nanoseconds after);
/// As a list for people.
std::string callbacks(const std::vector<std::string> & names);

/// rclcpp::shutdown(). If a pre-shutdown callback throws, which rclcpp lets pass and by which all others
/// are left out, a line says so and the process ends with status 1.
void shut_down() noexcept;

/// What may be waited for, of `longest`, when the end lasts for so long already: a launcher kills after
/// 5 s, half a second of which has passed before the end is counted. Who asks for more than that
/// leaves is given it, counted from the same instant.
constexpr std::chrono::nanoseconds remaining(std::chrono::nanoseconds longest,
                                             std::chrono::nanoseconds lasts) {
  constexpr std::chrono::nanoseconds enough = std::chrono::seconds(4);
  return std::clamp(std::max(enough, longest) - lasts, std::chrono::nanoseconds::zero(), longest);
}

/// Sees to it that the process ends though a pre-shutdown callback of the default context does not
/// return, whatever else has not, and whoever has begun the shutdown.
class Ending {
 public:
  /// `limit`: of the pre-shutdown callbacks that are added later, all together. `running` tells the
  /// names of the callbacks that have not returned; by another thread. Throws std::system_error if
  /// there can be no thread.
  Ending(std::chrono::nanoseconds limit, std::function<std::vector<std::string>()> running);
  ~Ending();
  Ending(const Ending &) = delete;
  Ending & operator=(const Ending &) = delete;

  /// For how long since the first of those pre-shutdown callbacks; 0 before. Any thread.
  std::chrono::nanoseconds lasts() const;

 private:
  using Clock = std::chrono::steady_clock;
  enum class State { not_begun, callbacks, over };
  void set(State state);
  void watch();

  const std::chrono::nanoseconds limit_;
  const std::function<std::vector<std::string>()> running_;
  const ::rclcpp::Context::SharedPtr context_;
  mutable os::Mutex mutex_{os::LockRank::program_data};
  os::Condition changed_;
  State state_ TAKT_GUARDED_BY(mutex_) = State::not_begun;
  Clock::time_point begun_ TAKT_GUARDED_BY(mutex_){};
  ::rclcpp::PreShutdownCallbackHandle before_;
  ::rclcpp::OnShutdownCallbackHandle after_;
  os::Thread thread_;  // the last: it uses the others
};

}  // namespace takt::rclcpp
