// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "nodes.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <rclcpp/create_timer.hpp>
#include <utility>

namespace takt_examples {

using namespace std::chrono_literals;

namespace {

/// Uses so much CPU time, as a computation does. Time in which others have the CPU does not count.
void work(std::chrono::nanoseconds length) {
  const auto used = [] {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
  };
  for (const auto end = used() + length; used() < end;) continue;
}

}  // namespace

Talker::Talker(const rclcpp::NodeOptions & options) : Node("talker", options) {
  publisher_ = create_publisher<String>("chatter", 10);
  timer_ = create_wall_timer(100ms, [this] {
    String message;
    message.data = "hello " + std::to_string(++count_);
    publisher_->publish(message);
  });
}

Listener::Listener(const rclcpp::NodeOptions & options) : Node("listener", options) {
  subscription_ = create_subscription<String>("chatter", 10, [](const String &) { work(8ms); });
}

std::atomic<std::int64_t> Plant::published = 0;

Plant::Plant(const rclcpp::NodeOptions & options) : Node("plant", options) {
  publisher_ = create_publisher<Float64>("state", 1);
  timer_ = create_wall_timer(5ms, [this] {
    Float64 state;
    state.data = static_cast<double>(published + 1);
    publisher_->publish(state);
    published.fetch_add(1);
  });
}

Controller::Controller(const rclcpp::NodeOptions & options) : Node("controller", options) {
  state_ = create_subscription<Float64>("state", 1, [this](const Float64 & m) { latest_ = m; });
  command_ = create_publisher<Float64>("command", 1);
  timer_ = create_wall_timer(5ms, [this](const rclcpp::TimerInfo & info) {
    if (latest_.data < static_cast<double>(Plant::published)) ++old_;
    work(1ms);
    Float64 command;
    command.data = -latest_.data;
    command_->publish(command);
    // The first cycle is not measured: it was due before the executor was running.
    if (!std::exchange(running_, true)) return;
    const std::chrono::nanoseconds now = std::chrono::steady_clock::now().time_since_epoch();
    took_.push_back(now.count() - info.expected_call_time.nanoseconds());
  });
}

std::string Controller::summary() const {
  if (took_.empty()) return "no cycles of the control loop";
  const auto late =
      std::count_if(took_.begin(), took_.end(), [](auto took) { return took > 5'000'000; });
  const double longest = static_cast<double>(*std::max_element(took_.begin(), took_.end())) / 1e6;
  std::array<char, 160> text;
  std::snprintf(text.data(), text.size(),
                "%zu cycles of the control loop, %zd late, longest response time %.1f ms; "
                "%zu on a stale state",
                took_.size(), static_cast<std::ptrdiff_t>(late), longest, old_);
  return text.data();
}

}  // namespace takt_examples
