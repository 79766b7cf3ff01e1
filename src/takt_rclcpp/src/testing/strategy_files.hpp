// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <fstream>
#include <memory>
#include <std_msgs/msg/u_int64.hpp>
#include <string>

#include "background.hpp"

namespace takt::rclcpp::testing {

/// Nodes whose timing is given by a strategy file, under a policy that does not preempt.
class StrategyFileTest : public ExecutorTest {
 protected:
  using Message = std_msgs::msg::UInt64;

  StrategyFileTest() { make_executor({.policy = "np-fp"}); }
  ~StrategyFileTest() override { std::filesystem::remove(file_); }

  std::string write(const std::string & text) {
    std::ofstream(file_) << text;
    return file_;
  }

  /// A node that publishes `news`, with a timer of 7 ms that may read it.
  struct News {
    ::rclcpp::Node::SharedPtr node;
    ::rclcpp::Publisher<Message>::SharedPtr publisher;
    ::rclcpp::Subscription<Message>::SharedPtr subscription;
    ::rclcpp::TimerBase::SharedPtr reader;
    void publish() const { publisher->publish(std::make_unique<Message>()); }
  };
  News make_news() {
    const auto node = make_node("a", ::rclcpp::NodeOptions().use_intra_process_comms(true));
    return {node, node->create_publisher<Message>("news", 1),
            node->create_subscription<Message>("news", 1, [](const Message &) {}),
            node->create_wall_timer(std::chrono::milliseconds(7), [this] { jobs_.add(1); })};
  }

  const std::string file_ =
      std::filesystem::temp_directory_path() / ("takt_strategy_test." + std::to_string(getpid()));
  Watched<int> jobs_;
};

}  // namespace takt::rclcpp::testing
