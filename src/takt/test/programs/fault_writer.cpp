// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// Publishes a message every millisecond, beside a timer that must run the same whoever reads them.

#include <chrono>
#include <memory>
#include <std_msgs/msg/u_int64.hpp>
#include <takt/takt.hpp>

#include "programs.hpp"
#include "ready.hpp"
#include "steady_timer.hpp"

using std_msgs::msg::UInt64;
using namespace std::chrono_literals;

void programs::fault_writer(int argc, char ** argv) {
  takt::init(argc, argv);
  auto node = std::make_shared<takt::Node>("fault_writer");
  const SteadyTimer timer(*node);

  takt::PublisherOptions options;
  options.event_callbacks.matched = [](takt::MatchedInfo & info) {
    say("matched %zu", info.current_count);
  };
  const auto publisher = node->create_publisher<UInt64>("stream", takt::QoS(10), options);
  UInt64 message;
  const auto stream = node->create_timer("stream", 1ms, {.priority = 50}, [&] {
    ++message.data;
    publisher->publish(message);
  });
  spin_ready(node);
  timer.report();
}
