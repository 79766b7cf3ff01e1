// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// Executors with a live view: one with scenarios, a task that is in time and one that is always
// late; a second one in the same process, whose diagnostics come faster. A third one has no live
// view.

#include <chrono>
#include <memory>
#include <std_msgs/msg/u_int64.hpp>
#include <takt/takt.hpp>
#include <thread>

#include "programs.hpp"
#include "ready.hpp"

using namespace std::chrono_literals;
using Range = std_msgs::msg::UInt64;

namespace {

takt::SchedulingStrategy::SharedPtr two_scenarios() {
  takt::SchedulingScenario dock("dock");
  dock.set_task("robot/work", {.deadline = 10ms});
  auto strategy = std::make_shared<takt::SchedulingStrategy>();
  strategy->add_scenario(takt::SchedulingScenario("drive"));
  strategy->add_scenario(dock);
  strategy->set_default_scenario("drive");
  return strategy;
}

}  // namespace

void programs::live(int argc, char ** argv) {
  takt::init(argc, argv);
  takt::SchedulingExecutor executor(
      {.policy = "fp", .lock_memory = false, .diagnostics = {.period = 200ms}});
  const auto robot = std::make_shared<takt::Node>("robot");
  const auto range = robot->create_subscription<Range>("range", 1, [](const Range &) {});
  const auto work = robot->create_timer("work", 20ms, {.priority = 90, .reads = {{range}}}, [] {});
  const auto group = robot->create_callback_group(takt::CallbackGroupType::reentrant);
  const auto late =
      robot->create_timer("late", 40ms, {.priority = 20, .deadline = 1ms, .group = group}, [] {
        const auto end = std::chrono::steady_clock::now() + 2ms;
        while (std::chrono::steady_clock::now() < end) {
        }
      });
  executor.add_node(robot);
  executor.set_scheduling_strategy(two_scenarios());

  takt::SchedulingExecutor second(
      {.lock_memory = false, .diagnostics = {.period = 100ms, .node = "second"}});
  takt::SchedulingExecutor third({.lock_memory = false, .diagnostics = {.enabled = false}});
  const auto arm = std::make_shared<takt::Node>("arm");
  const auto hand = std::make_shared<takt::Node>("hand");
  const auto move = arm->create_timer("move", 50ms, [] {});
  const auto grip = hand->create_timer("grip", 50ms, [] {});
  second.add_node(arm);
  third.add_node(hand);
  std::thread beside([&second] { second.spin(); });
  std::thread unseen([&third] { third.spin(); });
  say("ready");
  executor.spin();
  beside.join();
  unseen.join();
  takt::shutdown();
}
