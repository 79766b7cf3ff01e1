// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// A component for the container's test: counts on a topic.
#include <chrono>
#include <rclcpp/rclcpp.hpp>
#include <rclcpp_components/register_node_macro.hpp>
#include <std_msgs/msg/u_int64.hpp>

namespace takt_test {

class Counter : public rclcpp::Node {
 public:
  explicit Counter(const rclcpp::NodeOptions & options) : Node("counter", options) {
    publisher_ = create_publisher<std_msgs::msg::UInt64>("count", 10);
    timer_ = create_wall_timer(std::chrono::milliseconds(5), [this] {
      ++message_.data;
      publisher_->publish(message_);
    });
  }

 private:
  std_msgs::msg::UInt64 message_;
  rclcpp::Publisher<std_msgs::msg::UInt64>::SharedPtr publisher_;
  rclcpp::TimerBase::SharedPtr timer_;
};

}  // namespace takt_test

RCLCPP_COMPONENTS_REGISTER_NODE(takt_test::Counter)
