// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// Ordinary rclcpp nodes that do not depend on takt: a talker, a listener with a long callback, a plant
// (the controlled system) and its control loop.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <rclcpp/node.hpp>
#include <std_msgs/msg/float64.hpp>
#include <std_msgs/msg/string.hpp>
#include <string>
#include <vector>

namespace takt_examples {

using std_msgs::msg::Float64;
using std_msgs::msg::String;

class Talker : public rclcpp::Node {
 public:
  explicit Talker(const rclcpp::NodeOptions & options = rclcpp::NodeOptions());

 private:
  int count_ = 0;
  rclcpp::Publisher<String>::SharedPtr publisher_;
  rclcpp::TimerBase::SharedPtr timer_;
};

/// Computes for 8 ms on each message.
class Listener : public rclcpp::Node {
 public:
  explicit Listener(const rclcpp::NodeOptions & options = rclcpp::NodeOptions());

 private:
  rclcpp::Subscription<String>::SharedPtr subscription_;
};

/// Publishes its state every 5 ms.
class Plant : public rclcpp::Node {
 public:
  explicit Plant(const rclcpp::NodeOptions & options = rclcpp::NodeOptions());

  /// The number of states published. Controllers use it only to count stale inputs, which a real
  /// controller could not do.
  static std::atomic<std::int64_t> published;

 private:
  rclcpp::Publisher<Float64>::SharedPtr publisher_;
  rclcpp::TimerBase::SharedPtr timer_;
};

/// A control loop: computes for 1 ms every 5 ms, with the newest state that it has received.
class Controller : public rclcpp::Node {
 public:
  explicit Controller(const rclcpp::NodeOptions & options = rclcpp::NodeOptions());

  /// A summary of the cycles, as text. A cycle is late if its response time is above 5 ms.
  std::string summary() const;

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
