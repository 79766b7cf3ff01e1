// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// A container of components under takt's executor, for launch files and `ros2 component`. Its
// parameters are ROS parameters of the container's node: see docs/reference/rclcpp.md.
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <rclcpp/rclcpp.hpp>
#include <rclcpp_components/component_manager.hpp>
#include <string>
#include <thread>
#include <vector>

#include "takt_rclcpp/scheduling_executor.hpp"

namespace {

using takt::rclcpp::SchedulingExecutor;

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

/// Components come after the file was read: it is no error that their tasks are not there yet.
takt::SchedulingStrategy::SharedPtr for_later(const takt::SchedulingStrategy & strategy) {
  const auto lenient = std::make_shared<takt::SchedulingStrategy>(strategy.source());
  lenient->set_default_scenario(strategy.default_scenario());
  for (const takt::SchedulingScenario & scenario : strategy.scenarios()) {
    takt::SchedulingScenario copy(scenario.name());
    if (scenario.policy()) copy.set_scheduling_policy(*scenario.policy());
    for (const auto & entry : scenario.tasks()) {
      takt::TaskTiming timing = entry.timing;
      timing.optional = true;
      // Who refreshes what it reads may come later, too.
      if (!timing.max_age.empty() && !timing.on_stale) {
        timing.on_stale = takt::model::OnStale::report;
      }
      copy.set_task(entry.id, timing, entry.where);
    }
    lenient->add_scenario(copy);
  }
  return lenient;
}

/// After a while, when a launch file has loaded its components, the file holds to the letter; if it
/// cannot, that is told, and what fits goes on to hold.
class LateCheck {
 public:
  LateCheck(SchedulingExecutor & executor, const takt::SchedulingStrategy::SharedPtr & strategy)
      : thread_([this, &executor, strategy] { run(executor, strategy); }) {}
  ~LateCheck() {
    {
      const std::lock_guard lock(mutex_);
      ending_ = true;
    }
    end_.notify_all();
    thread_.join();
  }
  LateCheck(const LateCheck &) = delete;
  LateCheck & operator=(const LateCheck &) = delete;

 private:
  void run(SchedulingExecutor & executor, const takt::SchedulingStrategy::SharedPtr & strategy) {
    std::unique_lock lock(mutex_);
    if (end_.wait_for(lock, std::chrono::seconds(10), [this] { return ending_; })) return;
    const auto logger = ::rclcpp::get_logger("takt_component_container");
    try {
      executor.set_scheduling_strategy(strategy);
      RCLCPP_INFO(logger, "the strategy fits the components that are there");
    } catch (const std::exception & error) {
      const std::string what = error.what();
      const bool missing = what.find("there is no such task") != std::string::npos;
      RCLCPP_WARN(logger, "%s%s", what.c_str(),
                  missing ? "; if that is loaded later, mark it as optional: true" : "");
    }
  }

  std::mutex mutex_;
  std::condition_variable end_;
  bool ending_ = false;
  std::thread thread_;  // the last: it uses the others
};

/// Loads and unloads on a thread of ordinary priority, whose CPUs the threads of a component's own
/// inherit.
class Manager : public rclcpp_components::ComponentManager {
 public:
  explicit Manager(const std::shared_ptr<SchedulingExecutor> & executor)
      : ComponentManager(executor, "ComponentManager",
                         ::rclcpp::NodeOptions().start_parameter_event_publisher(false)),
        scheduling_(executor) {}

  /// `ros2 param set /ComponentManager scenario NAME` requests it.
  void offer_scenarios(const std::string & first) {
    const std::string given = declare_parameter("scenario", first);
    if (given != first) scheduling_->request_scenario(given);
    changes_ = add_on_set_parameters_callback([this](const auto & parameters) {
      rcl_interfaces::msg::SetParametersResult result;
      result.successful = true;
      for (const ::rclcpp::Parameter & parameter : parameters) {
        if (parameter.get_name() != "scenario") continue;
        try {
          scheduling_->request_scenario(parameter.as_string());
        } catch (const std::exception & error) {
          result.successful = false;
          result.reason = error.what();
        }
      }
      return result;
    });
  }

 protected:
  void remove_node_from_executor(std::uint64_t node) override {
    ComponentManager::remove_node_from_executor(node);
    scheduling_->finish_removals();  // the component goes next
  }

 private:
  const std::shared_ptr<SchedulingExecutor> scheduling_;
  OnSetParametersCallbackHandle::SharedPtr changes_;
};

void run() {
  const Settings settings = read_settings();
  const auto executor = std::make_shared<SchedulingExecutor>(
      takt::SchedulingOptions{.policy = settings.policy, .cpus = settings.cpus});
  const auto manager = std::make_shared<Manager>(executor);
  std::optional<LateCheck> check;
  if (!settings.strategy.empty()) {
    const auto strategy = takt::load_strategy(settings.strategy);
    executor->set_scheduling_strategy(for_later(*strategy));
    manager->offer_scenarios(strategy->default_scenario());
    RCLCPP_INFO(manager->get_logger(), "schedules by %s, scenario '%s'", settings.strategy.c_str(),
                manager->get_parameter("scenario").as_string().c_str());
    check.emplace(*executor, strategy);
  }
  ::rclcpp::executors::SingleThreadedExecutor managing;
  managing.add_node(manager);
  // Whichever ends ends the other.
  std::exception_ptr failed;
  std::thread scheduling([&] {
    try {
      executor->spin();
    } catch (...) {
      failed = std::current_exception();
    }
    ::rclcpp::shutdown();
  });
  struct End {
    std::thread & scheduling;
    ~End() {
      ::rclcpp::shutdown();
      scheduling.join();
    }
  };
  {
    const End end{scheduling};
    managing.spin();
  }
  if (failed != nullptr) std::rethrow_exception(failed);
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
