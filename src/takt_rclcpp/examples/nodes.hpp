// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// Ordinary rclcpp nodes that do not depend on takt: a talker, a listener with a long callback, a plant
// (the controlled system) and its control loop.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <rclcpp/rclcpp.hpp>
#include <std_msgs/msg/float64.hpp>
#include <std_msgs/msg/string.hpp>
#include <string>
#include <utility>
#include <vector>

namespace takt_examples {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using std_msgs::msg::Float64;
using std_msgs::msg::String;

/// Uses so much CPU time, as a computation does. Time in which others have the CPU does not count.
inline void work(std::chrono::nanoseconds length) {
  const auto used = [] {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
  };
  for (const auto end = used() + length; used() < end;) continue;
}

class Talker : public rclcpp::Node {
 public:
  explicit Talker(const rclcpp::NodeOptions & options = rclcpp::NodeOptions())
      : Node("talker", options) {
    publisher_ = create_publisher<String>("chatter", 10);
    timer_ = create_wall_timer(100ms, [this] {
      String message;
      message.data = "hello " + std::to_string(++count_);
      publisher_->publish(message);
    });
  }

 private:
  int count_ = 0;
  rclcpp::Publisher<String>::SharedPtr publisher_;
  rclcpp::TimerBase::SharedPtr timer_;
};

/// Computes for 8 ms on each message.
class Listener : public rclcpp::Node {
 public:
  explicit Listener(const rclcpp::NodeOptions & options = rclcpp::NodeOptions())
      : Node("listener", options) {
    subscription_ = create_subscription<String>("chatter", 10, [](const String &) { work(8ms); });
  }

 private:
  rclcpp::Subscription<String>::SharedPtr subscription_;
};

/// Publishes its state every 5 ms.
class Plant : public rclcpp::Node {
 public:
  explicit Plant(const rclcpp::NodeOptions & options = rclcpp::NodeOptions())
      : Node("plant", options) {
    publisher_ = create_publisher<Float64>("state", 1);
    timer_ = create_wall_timer(5ms, [this] {
      Float64 state;
      state.data = static_cast<double>(published + 1);
      publisher_->publish(state);
      published.fetch_add(1);
    });
  }

  /// The number of states published. Controllers use it only to count stale inputs, which a real
  /// controller could not do.
  inline static std::atomic<std::int64_t> published = 0;

 private:
  rclcpp::Publisher<Float64>::SharedPtr publisher_;
  rclcpp::TimerBase::SharedPtr timer_;
};

/// A control loop: computes for 1 ms every 5 ms, with the newest state that it has received.
class Controller : public rclcpp::Node {
 public:
  explicit Controller(const rclcpp::NodeOptions & options = rclcpp::NodeOptions())
      : Node("controller", options) {
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
      const std::chrono::nanoseconds now = Clock::now().time_since_epoch();
      took_.push_back(now.count() - info.expected_call_time.nanoseconds());
    });
  }

  /// A summary of the cycles, as text. A cycle is late if its response time is above 5 ms.
  std::string summary() const {
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

 private:
  Float64 latest_;
  bool running_ = false;
  std::size_t old_ = 0;
  std::vector<std::int64_t> took_;
  rclcpp::Subscription<Float64>::SharedPtr state_;
  rclcpp::Publisher<Float64>::SharedPtr command_;
  rclcpp::TimerBase::SharedPtr timer_;
};

}  // namespace takt_examples
