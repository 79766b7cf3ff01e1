// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// An application to try the live tools on. It runs until Ctrl-C and has two scenarios, "drive" and
// "dock". In another terminal:
//
//   ros2 run takt rover      # or install/jazzy/release/lib/takt/rover
//   ./takt top               # key s: switch to another scenario
//   ./takt inspect
//   ros2 topic echo /diagnostics

#include <chrono>
#include <cstdint>
#include <memory>
#include <std_msgs/msg/u_int64.hpp>
#include <takt/takt.hpp>

using namespace std::chrono_literals;
using Range = std_msgs::msg::UInt64;

namespace {

/// Occupies the CPU for `length`, as the computation of a real node would.
void work(std::chrono::microseconds length) {
  const auto end = std::chrono::steady_clock::now() + length;
  while (std::chrono::steady_clock::now() < end) {
  }
}

struct Sonar : takt::Node {
  Sonar() : Node("sonar") {
    publisher_ = create_publisher<Range>("range", 1);
    timer_ = create_timer("sense", 20ms, {.priority = 30, .extra_releases = true}, [this] {
      work(1ms);
      Range range;
      range.data = ++count_;
      publisher_->publish(range);
    });
  }
  std::shared_ptr<takt::Publisher<Range>> publisher_;
  std::shared_ptr<takt::Timer> timer_;
  std::uint64_t count_ = 0;
};

struct Pilot : takt::Node {
  Pilot() : Node("pilot") {
    range_ =
        create_subscription<Range>("range", 1, [this](const Range & range) { seen_ = range.data; });
    control_ =
        create_timer("control", 10ms, {.priority = 90, .reads = {{range_}}}, [] { work(500us); });
    group_ = create_callback_group(takt::CallbackGroupType::reentrant);
    plan_ = create_timer("plan", 100ms, {.priority = 10, .group = group_}, [] { work(10ms); });
  }
  std::shared_ptr<takt::Subscription<Range>> range_;
  takt::CallbackGroup::SharedPtr group_;
  std::shared_ptr<takt::Timer> control_;
  std::shared_ptr<takt::Timer> plan_;
  std::uint64_t seen_ = 0;
};

takt::SchedulingStrategy::SharedPtr scenarios() {
  takt::SchedulingScenario dock("dock");
  dock.set_scheduling_policy("edf");
  dock.set_task("pilot/control", {.deadline = 5ms});
  dock.set_task("pilot/plan", {.suspended = true});
  auto strategy = std::make_shared<takt::SchedulingStrategy>();
  strategy->add_scenario(takt::SchedulingScenario("drive"));
  strategy->add_scenario(dock);
  strategy->set_default_scenario("drive");
  return strategy;
}

}  // namespace

int main(int argc, char ** argv) {
  takt::init(argc, argv);
  takt::SchedulingExecutor executor({.policy = "fp"});
  const auto sonar = std::make_shared<Sonar>();
  const auto pilot = std::make_shared<Pilot>();
  executor.add_node(sonar);
  executor.add_node(pilot);
  executor.set_scheduling_strategy(scenarios());
  executor.spin();
  takt::shutdown();
}
