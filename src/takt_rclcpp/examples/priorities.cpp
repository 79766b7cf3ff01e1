// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// Runs the nodes of nodes.hpp under rclcpp's single-threaded executor, then under takt's executor with a
// strategy file, and prints how late the control loop was and how often it used a stale state.
//
//     priorities FILE [SECONDS [TRACE]]
//
// FILE: the strategy file. SECONDS: how long to run under each executor, 5 by default. TRACE: a file that
// records the run under takt, for `takt trace plot`.

#include <chrono>
#include <cstdio>
#include <functional>
#include <memory>
#include <rclcpp/executors/single_threaded_executor.hpp>
#include <rclcpp/utilities.hpp>
#include <string>
#include <takt_rclcpp/scheduling_executor.hpp>
#include <thread>
#include <vector>

#include "nodes.hpp"

namespace {

using takt_examples::Controller;
using takt_examples::Listener;
using takt_examples::Plant;
using takt_examples::Talker;

/// Runs new instances of the nodes for `length` under an executor, and prints the controller's summary
/// after `who`.
void run(const char * who, rclcpp::Executor & executor, std::chrono::seconds length,
         const std::function<void()> & set_up) {
  const auto talker = std::make_shared<Talker>();
  const auto listener = std::make_shared<Listener>();
  Plant::published = 0;
  const auto plant = std::make_shared<Plant>();
  const auto controller = std::make_shared<Controller>();
  for (const rclcpp::Node::SharedPtr & node :
       std::vector<rclcpp::Node::SharedPtr>{talker, listener, plant, controller}) {
    executor.add_node(node);
  }
  set_up();
  std::thread spinner([&executor] { executor.spin(); });
  std::this_thread::sleep_for(length);
  executor.cancel();
  spinner.join();
  std::printf("%s: %s\n", who, controller->summary().c_str());
}

}  // namespace

int main(int argc, char ** argv) {
  const std::vector<std::string> arguments = rclcpp::init_and_remove_ros_arguments(argc, argv);
  if (arguments.size() < 2) {
    std::fprintf(stderr, "usage: priorities FILE [SECONDS [TRACE]]\n");
    return 2;
  }
  try {
    const std::chrono::seconds length(arguments.size() > 2 ? std::stoi(arguments[2]) : 5);
    {
      rclcpp::executors::SingleThreadedExecutor executor;
      run("rclcpp", executor, length, [] {});
    }
    {
      takt::rclcpp::SchedulingExecutor executor({
          .policy = "fp",
          .trace = {.file = arguments.size() > 3 ? arguments[3] : ""},
      });
      run("takt", executor, length, [&] { executor.load_strategy(arguments[1]); });
    }
  } catch (const std::exception & error) {
    std::fprintf(stderr, "priorities: %s\n", error.what());
    return 1;
  }
  rclcpp::shutdown();
}
