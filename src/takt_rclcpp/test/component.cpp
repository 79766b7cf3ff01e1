// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// Components for the container's test: one counts on a topic, one does not return from a callback.
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <rclcpp/rclcpp.hpp>
#include <rclcpp_components/register_node_macro.hpp>
#include <std_msgs/msg/u_int64.hpp>
#include <stdexcept>
#include <string>
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

/// A callback that reads the named pipe `pipe` to its end: it is stuck until somebody writes there, and
/// closes. Another one, in a group of its own, counts on `~/beat`.
class Stuck : public rclcpp::Node {
 public:
  explicit Stuck(const rclcpp::NodeOptions & options) : Node("stuck", options) {
    const std::string pipe = declare_parameter("pipe", "");
    const std::chrono::milliseconds period(declare_parameter("period_ms", 50));
    reads_ = create_wall_timer(period, [this, pipe] {
      reads_->cancel();
      std::ifstream(pipe).get();
    });
    own_group_ = create_callback_group(rclcpp::CallbackGroupType::MutuallyExclusive);
    publisher_ =
        create_publisher<std_msgs::msg::UInt64>("~/beat", rclcpp::QoS(1).transient_local());
    beats_ = create_wall_timer(
        std::chrono::milliseconds(5),
        [this] {
          ++message_.data;
          publisher_->publish(message_);
        },
        own_group_);
  }

 private:
  std_msgs::msg::UInt64 message_;
  rclcpp::CallbackGroup::SharedPtr own_group_;
  rclcpp::Publisher<std_msgs::msg::UInt64>::SharedPtr publisher_;
  rclcpp::TimerBase::SharedPtr reads_;
  rclcpp::TimerBase::SharedPtr beats_;
};

/// A callback that throws, or a constructor.
class Faulty : public rclcpp::Node {
 public:
  explicit Faulty(const rclcpp::NodeOptions & options) : Node("faulty", options) {
    if (declare_parameter("in_constructor", false)) throw 1;
    const bool number = declare_parameter("number", false);
    timer_ = create_wall_timer(std::chrono::milliseconds(5), [number] {
      if (number) throw 1;
      throw std::runtime_error("a fault");
    });
  }

 private:
  rclcpp::TimerBase::SharedPtr timer_;
};

}  // namespace takt_test

RCLCPP_COMPONENTS_REGISTER_NODE(takt_test::Counter)
RCLCPP_COMPONENTS_REGISTER_NODE(takt_test::Stuck)
RCLCPP_COMPONENTS_REGISTER_NODE(takt_test::Faulty)
