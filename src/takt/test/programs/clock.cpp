// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// Prints the time, each release of a timer of one second on ROS time, and each jump back of the
// time.

#include <chrono>
#include <memory>
#include <takt/takt.hpp>

#include "programs.hpp"
#include "ready.hpp"

using namespace std::chrono_literals;

void programs::clock(int argc, char ** argv) {
  takt::init(argc, argv);
  auto node = std::make_shared<takt::Node>("clock");
  const auto jump = node->get_clock()->create_jump_callback(
      {},
      [](const takt::TimeUpdate & update) {
        say("back to %.1f", 1e-9 * static_cast<double>(update.now_ns));
      },
      {.on_clock_change = false, .min_backward = -1s});
  const auto update = node->get_clock()->on_update([](const takt::TimeUpdate & time) {
    say("now %.1f", 1e-9 * static_cast<double>(time.now_ns));
  });
  const auto timer = node->create_timer("tick", 1s, {.clock = takt::ClockType::ros},
                                        [&] { say("tick %.1f", node->now().seconds()); });
  spin_ready(node);
}
