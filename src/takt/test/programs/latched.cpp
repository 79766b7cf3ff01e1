// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// Publishes once on /latched, for subscriptions that are created later, and prints what had been
// published on /latched_back before its own subscription existed.

#include <cinttypes>
#include <memory>
#include <takt/takt.hpp>
#include <takt_msgs/msg/payload.hpp>

#include "programs.hpp"
#include "ready.hpp"

using takt_msgs::msg::Payload;

void programs::latched(int argc, char ** argv) {
  takt::init(argc, argv);
  auto node = std::make_shared<takt::Node>("latched");
  const auto qos = takt::QoS(1).transient_local();
  const auto publisher = node->create_publisher<Payload>("latched", qos);
  Payload message;
  message.sequence = 42;
  publisher->publish(message);
  const auto subscription = node->create_subscription<Payload>(
      "latched_back", qos, [](const Payload & back) { say("got %" PRIu64, back.sequence); });
  spin_ready(node);
}
