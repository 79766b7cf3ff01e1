// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// Application-aware scheduling: listing A.1 of Krukiewicz-Gacek's thesis (TU Delft, 2021), almost
// verbatim, as a complete program. Two nodes share a strategy of two scenarios. A callback of node 4
// requests the other scenario after every fifth job, as it might when the robot approaches its dock.
//
//   strategy                  the strategy is built in code, as in the listing
//   strategy schedule.yaml    the same strategy from a file, to be tuned without compiling

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <std_msgs/msg/u_int64.hpp>
#include <string>
#include <takt/takt.hpp>
#include <utility>

using namespace std::chrono_literals;
using Message = std_msgs::msg::UInt64;
using takt::np_edf_policy;
using takt::SchedulingScenario;
using takt::SchedulingStrategy;

namespace {

constexpr std::uint64_t switches = 6;

/// A policy in the form of the thesis: returns whether job `a` is more urgent than job `b`.
bool custom_scheduling_policy(const takt::Job & a, const takt::Task & task_a, const takt::Job & b,
                              const takt::Task & task_b) {
  if (task_a.priority != task_b.priority) return task_a.priority > task_b.priority;
  return a.deadline < b.deadline;
}

class node3 : public takt::Node {
 public:
  node3() : Node("node3") {
    subscription_ = create_subscription<Message>(
        "topic1", 1, [this](const Message & message) { latest_ = message.data; });
    timer_ = create_timer("scheduling_id_timer_3", 50ms, {.reads = {{subscription_}}}, [] {});
  }

 private:
  std::shared_ptr<takt::Subscription<Message>> subscription_;
  std::shared_ptr<takt::Timer> timer_;
  std::uint64_t latest_ = 0;
};

class node4 : public takt::Node {
 public:
  node4() : Node("node4") {
    publisher_ = create_publisher<Message>("topic1", 1);
    timer_ = create_timer("scheduling_id_timer_4", 20ms, [this] { job(); });
  }
  void watch(std::function<void()> function) { watch_ = std::move(function); }

 private:
  void job() {
    Message message;
    message.data = ++jobs_;
    publisher_->publish(message);
    watch_();
    if (jobs_ % 5 != 0) return;
    docking_ = !docking_;
    request_scenario(docking_ ? "special_scenario" : "default_scenario");
  }

  std::shared_ptr<takt::Publisher<Message>> publisher_;
  std::shared_ptr<takt::Timer> timer_;
  std::function<void()> watch_;
  std::uint64_t jobs_ = 0;
  bool docking_ = false;
};

std::shared_ptr<SchedulingStrategy> make_strategy() {
  auto scheduling_scenario_default = std::make_shared<SchedulingScenario>("default_scenario");
  scheduling_scenario_default->add_timer("scheduling_id_timer_3", 98, 50, {.subscribes = "topic1"});
  scheduling_scenario_default->add_timer("scheduling_id_timer_4", 97, 20, {.publishes = "topic1"});
  scheduling_scenario_default->set_scheduling_policy(&np_edf_policy);

  auto scheduling_scenario_special = std::make_shared<SchedulingScenario>("special_scenario");
  scheduling_scenario_special->add_timer("scheduling_id_timer_3", 98, 40, {.subscribes = "topic1"});
  scheduling_scenario_special->add_timer("scheduling_id_timer_4", 97, 20, {.publishes = "topic1"});
  scheduling_scenario_special->set_scheduling_policy_function(&custom_scheduling_policy);

  auto scheduling_strategy = std::make_shared<SchedulingStrategy>();
  scheduling_strategy->add_scenario(scheduling_scenario_default);
  scheduling_strategy->add_scenario(scheduling_scenario_special);
  scheduling_strategy->set_default_scenario("default_scenario");
  return scheduling_strategy;
}

void run(const std::shared_ptr<SchedulingStrategy> & scheduling_strategy) {
  auto node_handle_node3 = std::make_shared<node3>();
  auto node_handle_node4 = std::make_shared<node4>();
  node_handle_node3->set_scheduling_strategy(scheduling_strategy);
  node_handle_node4->set_scheduling_strategy(scheduling_strategy);

  takt::SchedulingExecutor executor;
  std::uint64_t seen = 0;
  node_handle_node4->watch([&] {
    const takt::Statistics statistics = executor.statistics();
    if (statistics.scenario_switches == seen) return;
    seen = statistics.scenario_switches;
    std::printf("%s in effect %.1f us after the request\n", executor.scenario().c_str(),
                static_cast<double>(statistics.last_switch_ns) / 1e3);
    if (seen == switches) executor.cancel();
  });
  executor.add_node(node_handle_node3);
  executor.add_node(node_handle_node4);
  executor.set_scheduling_strategy(scheduling_strategy);
  executor.spin();
}

}  // namespace

int main(int argc, char ** argv) {
  takt::init(argc, argv);
  const auto arguments = takt::remove_ros_arguments(argc, argv);
  try {
    run(arguments.size() > 1 ? takt::load_strategy(arguments[1]) : make_strategy());
  } catch (const takt::Error & error) {
    std::fprintf(stderr, "strategy: %s\n", error.what());
    return 2;
  }
  takt::shutdown();
}
