// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// A container of components under takt's executor, for launch files and `ros2 component`. Its
// parameters are ROS parameters of the container's node: see docs/reference/rclcpp.md.
#include <cstdio>
#include <exception>
#include <memory>
#include <rclcpp/rclcpp.hpp>
#include <rclcpp_components/component_manager.hpp>
#include <string>
#include <vector>

#include "takt_rclcpp/scheduling_executor.hpp"

namespace {

/// What the container is told by parameters and has to know before it has an executor.
struct Settings {
  std::string policy;
  std::vector<int> cpus;
  std::string strategy;
};

Settings read_settings() {
  ::rclcpp::Node node(
      "ComponentManager",
      ::rclcpp::NodeOptions().start_parameter_services(false).start_parameter_event_publisher(
          false));
  Settings settings;
  settings.policy = node.declare_parameter("policy", "rm");
  for (const auto cpu : node.declare_parameter("cpus", std::vector<std::int64_t>())) {
    settings.cpus.push_back(static_cast<int>(cpu));
  }
  settings.strategy = node.declare_parameter("strategy", "");
  return settings;
}

void run() {
  const Settings settings = read_settings();
  const auto executor = std::make_shared<takt::rclcpp::SchedulingExecutor>(
      takt::SchedulingOptions{.policy = settings.policy, .cpus = settings.cpus});
  if (!settings.strategy.empty()) executor->load_strategy(settings.strategy);
  const auto manager = std::make_shared<rclcpp_components::ComponentManager>(executor);
  executor->add_node(manager);
  executor->spin();
}

}  // namespace

int main(int argc, char * argv[]) {
  ::rclcpp::init(argc, argv);
  try {
    run();
  } catch (const std::exception & error) {
    std::fprintf(stderr, "takt_component_container: %s\n", error.what());
    ::rclcpp::shutdown();
    return 1;
  }
  ::rclcpp::shutdown();
  return 0;
}
