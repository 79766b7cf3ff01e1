// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// Publishes a string twice a second, for any ROS 2 listener. ROS arguments can remap the topic:
//
//   talker --ros-args -r chatter:=news

#include <chrono>
#include <memory>
#include <std_msgs/msg/string.hpp>
#include <string>
#include <takt/takt.hpp>

using namespace std::chrono_literals;

class Talker : public takt::Node {
 public:
  Talker() : Node("talker") {
    publisher_ = create_publisher<std_msgs::msg::String>("chatter", takt::QoS(10));
    timer_ = create_timer("talk", 500ms, {.priority = 50}, [this] { talk(); });
  }

 private:
  void talk() {
    std_msgs::msg::String message;
    message.data = "hello " + std::to_string(++count_);
    TAKT_INFO(get_logger(), "saying '%s'", message.data.c_str());
    publisher_->publish(message);
  }

  std::shared_ptr<takt::Publisher<std_msgs::msg::String>> publisher_;
  std::shared_ptr<takt::Timer> timer_;
  int count_ = 0;
};

int main(int argc, char ** argv) {
  takt::init(argc, argv);
  auto talker = std::make_shared<Talker>();
  takt::SchedulingExecutor executor({.policy = "fp"});
  executor.add_node(talker);
  executor.spin();
  takt::shutdown();
}
