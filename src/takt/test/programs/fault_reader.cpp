// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// Reads what fault_writer publishes, beside a timer that must run the same whether or not there is
// a writer.

#include <chrono>
#include <memory>
#include <std_msgs/msg/u_int64.hpp>
#include <takt/takt.hpp>

#include "programs.hpp"
#include "ready.hpp"
#include "steady_timer.hpp"

using std_msgs::msg::UInt64;

void programs::fault_reader(int argc, char ** argv) {
  takt::init(argc, argv);
  auto node = std::make_shared<takt::Node>("fault_reader");
  const SteadyTimer timer(*node);

  takt::SubscriptionOptions options;
  options.event_callbacks.matched = [](takt::MatchedInfo & info) {
    say("matched %zu", info.current_count);
  };
  takt::Gid writer{};
  std::uint64_t last = 0;
  const auto subscription = node->create_subscription<UInt64>(
      "stream", takt::QoS(10),
      [&](const UInt64 & message, const takt::MessageInfo & info) {
        if (info.publisher_gid != writer) {
          writer = info.publisher_gid;
          say("heard another");
        } else if (message.data <= last) {
          say("broken: %zu after %zu", static_cast<std::size_t>(message.data),
              static_cast<std::size_t>(last));
        }
        last = message.data;
      },
      options);
  spin_ready(node);
  timer.report();
}
