// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// Sends back what it receives, from /to_takt to /from_takt.
//
//   echo_topics reliable|best_effort DEPTH

#include <cstdlib>
#include <memory>
#include <string>
#include <takt/takt.hpp>
#include <takt_msgs/msg/payload.hpp>

#include "programs.hpp"
#include "ready.hpp"

using takt_msgs::msg::Payload;

void programs::echo_topics(int argc, char ** argv) {
  takt::init(argc, argv);
  const auto arguments = takt::remove_ros_arguments(argc, argv);
  takt::QoS qos(std::atoi(arguments.at(2).c_str()));
  if (arguments.at(1) == "best_effort") qos.best_effort();

  auto node = std::make_shared<takt::Node>("echo_topics");
  const auto publisher = node->create_publisher<Payload>("from_takt", qos);
  const auto subscription = node->create_subscription<Payload>(
      "to_takt", qos, [&](const Payload & message) { publisher->publish(message); });
  spin_ready(node);
}
