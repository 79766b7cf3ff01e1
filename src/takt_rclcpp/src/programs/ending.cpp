// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "ending.hpp"

#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <rclcpp/contexts/default_context.hpp>
#include <rclcpp/utilities.hpp>
#include <utility>

#include "takt_core/tasks/decimal.hpp"

namespace takt::rclcpp {
namespace {

// Uses system calls only, because the callbacks that have not returned may hold any lock.
[[noreturn]] void end_with(const std::string & line) noexcept {
  dprintf(STDERR_FILENO, "takt_component_container: %s\n", line.c_str());
  std::_Exit(1);
}

}  // namespace

void end_without(const std::string & left, std::chrono::nanoseconds after) {
  const double tenths = std::round(std::chrono::duration<double>(after).count() * 10);
  end_with("terminates although these have not returned within " + tasks::decimal(tenths / 10) +
           " s: " + left);
}

std::string callbacks(const std::vector<std::string> & names) {
  std::string list;
  for (const std::string & name : names) list += (list.empty() ? "callback '" : ", '") + name + "'";
  return list;
}

void shut_down() noexcept {
  const auto thrown = [](const char * what) {
    end_with(std::string("a pre-shutdown callback of a component has thrown: ") + what);
  };
  try {
    ::rclcpp::shutdown();
  } catch (const std::exception & error) {
    thrown(error.what());
  } catch (...) {
    thrown("an unknown exception");
  }
}

Ending::Ending(std::chrono::nanoseconds limit, std::function<std::vector<std::string>()> running)
    : limit_(limit),
      running_(std::move(running)),
      context_(::rclcpp::contexts::get_global_default_context()),
      thread_({.name = "takt.ending"}, [this] { watch(); }) {
  before_ = context_->add_pre_shutdown_callback([this] { set(State::callbacks); });
  after_ = context_->add_on_shutdown_callback([this] { set(State::over); });
}

Ending::~Ending() {
  context_->remove_pre_shutdown_callback(before_);
  context_->remove_on_shutdown_callback(after_);
  set(State::over);
}

void Ending::set(State state) {
  const os::Lock lock(mutex_);
  state_ = state;
  if (state == State::callbacks) begun_ = Clock::now();
  changed_.notify_all();
}

void Ending::watch() {
  {
    // Wait a little longer than the executor, so that its message with the remedy is printed first.
    constexpr std::chrono::milliseconds after_executor(100);
    os::UniqueLock lock(mutex_);
    changed_.wait(lock, [this]() TAKT_REQUIRES(mutex_) { return state_ != State::not_begun; });
    const bool over =
        changed_.wait_for(lock, limit_ + after_executor,
                          [this]() TAKT_REQUIRES(mutex_) { return state_ == State::over; });
    if (over) return;
  }
  const std::string list = callbacks(running_());
  end_without("a pre-shutdown callback" + (list.empty() ? "" : ", " + list), limit_);
}

std::chrono::nanoseconds Ending::lasts() const {
  const os::Lock lock(mutex_);
  if (begun_ == Clock::time_point()) return std::chrono::nanoseconds::zero();
  return Clock::now() - begun_;
}

}  // namespace takt::rclcpp
