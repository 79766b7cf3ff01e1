// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// Logs the messages of any ROS 2 talker. The subscription is a task with a priority of its own, of which
// each message releases a job.

#include <memory>
#include <std_msgs/msg/string.hpp>
#include <takt/takt.hpp>

class Listener : public takt::Node {
 public:
  Listener() : Node("listener") {
    subscription_ = create_subscription<std_msgs::msg::String>(
        "chatter", takt::QoS(10),
        [this](const std_msgs::msg::String & message) {
          TAKT_INFO(get_logger(), "heard '%s'", message.data.c_str());
        },
        {.priority = 50});
  }

 private:
  std::shared_ptr<takt::Subscription<std_msgs::msg::String>> subscription_;
};

int main(int argc, char ** argv) {
  takt::init(argc, argv);
  auto listener = std::make_shared<Listener>();
  takt::SchedulingExecutor executor({.policy = "fp"});
  executor.add_node(listener);
  executor.spin();
  takt::shutdown();
}
