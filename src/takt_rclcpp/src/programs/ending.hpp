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

/// Terminates the process with status 1, without destructors, and prints a line that `left` has not returned
/// within `after`. Objects that the remaining callbacks may use cannot be destroyed.
[[noreturn]] void end_without(const std::string & left, std::chrono::nanoseconds after);
/// Returns the names of callbacks as a list for display.
std::string callbacks(const std::vector<std::string> & names);

/// Calls rclcpp::shutdown(). If a pre-shutdown callback throws, which makes rclcpp skip all further ones,
/// prints a line and terminates the process with status 1.
void shut_down() noexcept;

/// Returns for how long callbacks may still be waited for: what remains of `longest` after `lasts`, the
/// time since the shutdown began. It is limited to 4 s, because a launcher kills the process 5 s after its
/// signal, 0.5 s of which have passed before `lasts` is counted; a `longest` above 4 s is granted.
constexpr std::chrono::nanoseconds remaining(std::chrono::nanoseconds longest,
                                             std::chrono::nanoseconds lasts) {
  constexpr std::chrono::nanoseconds enough = std::chrono::seconds(4);
  return std::clamp(std::max(enough, longest) - lasts, std::chrono::nanoseconds::zero(), longest);
}

/// Ensures that the process ends even if a pre-shutdown callback of the default context does not return,
/// whoever has begun the shutdown.
class Ending {
 public:
  /// `limit` is the time limit for all pre-shutdown callbacks that are added later together. `running`
  /// returns the names of the callbacks that have not returned; it is called on another thread. Throws
  /// std::system_error if the thread cannot be created.
  Ending(std::chrono::nanoseconds limit, std::function<std::vector<std::string>()> running);
  ~Ending();
  Ending(const Ending &) = delete;
  Ending & operator=(const Ending &) = delete;

  /// The time since the first of those pre-shutdown callbacks was called; 0 before. Any thread.
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
  os::Thread thread_;  // the last member, because it uses the others
};

}  // namespace takt::rclcpp
