// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// A component for the container's test: counts on a topic.
#include <unistd.h>

#include <chrono>
#include <rclcpp/rclcpp.hpp>
#include <rclcpp_components/register_node_macro.hpp>
#include <std_msgs/msg/u_int64.hpp>
#include <stdexcept>
#include <takt_core/os/threads.hpp>

namespace takt_test {

class Counter : public rclcpp::Node {
 public:
  explicit Counter(const rclcpp::NodeOptions & options) : Node("counter", options) {
    check_thread();
    publisher_ = create_publisher<std_msgs::msg::UInt64>("count", 10);
    timer_ = create_wall_timer(std::chrono::milliseconds(5), [this] {
      ++message_.data;
      publisher_->publish(message_);
    });
  }

 private:
  /// Threads that a component makes inherit from the one that makes it.
  static void check_thread() {
    if (takt::os::realtime_priority(0) > 0 ||
        takt::os::pinned_cpu(0) != takt::os::pinned_cpu(getpid())) {
      throw std::runtime_error("made on a thread with a priority, or a CPU, of its own");
    }
  }

  std_msgs::msg::UInt64 message_;
  rclcpp::Publisher<std_msgs::msg::UInt64>::SharedPtr publisher_;
  rclcpp::TimerBase::SharedPtr timer_;
};

}  // namespace takt_test

RCLCPP_COMPONENTS_REGISTER_NODE(takt_test::Counter)
