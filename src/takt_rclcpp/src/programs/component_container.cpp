// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// A container of components under takt's executor, for launch files and `ros2 component`. Its
// parameters are ROS parameters of the container's node: see docs/reference/rclcpp.md.
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <optional>
#include <rcl_interfaces/msg/parameter_descriptor.hpp>
#include <rclcpp/rclcpp.hpp>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "begin.hpp"
#include "container_manager.hpp"
#include "takt_core/os/condition.hpp"
#include "takt_core/os/end_signals.hpp"
#include "takt_rclcpp/scheduling_executor.hpp"

namespace {

using takt::rclcpp::ContainerManager;
using takt::rclcpp::SchedulingExecutor;

/// What the container is told by parameters and has to know before it has an executor.
struct Settings {
  std::string policy;
  std::vector<int> cpus;
  std::string strategy;
  std::chrono::nanoseconds strategy_check_after;
  std::chrono::nanoseconds callback_timeout;
  std::chrono::nanoseconds pre_shutdown_limit;
};

/// In seconds, whole or not.
std::chrono::nanoseconds read_seconds(::rclcpp::Node & node, const std::string & name,
                                      double standard) {
  rcl_interfaces::msg::ParameterDescriptor any;
  any.dynamic_typing = true;
  const ::rclcpp::ParameterValue given =
      node.declare_parameter(name, ::rclcpp::ParameterValue(standard), any);
  double seconds = -1;
  if (given.get_type() == ::rclcpp::PARAMETER_DOUBLE) seconds = given.get<double>();
  if (given.get_type() == ::rclcpp::PARAMETER_INTEGER) {
    seconds = static_cast<double>(given.get<std::int64_t>());
  }
  constexpr double most = 1e6;
  if (!(seconds >= 0 && seconds <= most)) {
    throw std::invalid_argument(name + ": give seconds, from 0 to 1000000");
  }
  return std::chrono::nanoseconds(static_cast<std::int64_t>(seconds * 1e9));
}

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
  settings.strategy_check_after = read_seconds(node, "strategy_check_after", 10);
  settings.callback_timeout = read_seconds(node, "callback_timeout", 3);
  settings.pre_shutdown_limit = read_seconds(node, "pre_shutdown_limit", 3);
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
  LateCheck(SchedulingExecutor & executor, const takt::SchedulingStrategy::SharedPtr & strategy,
            std::chrono::nanoseconds after)
      : thread_([this, &executor, strategy, after] { run(executor, strategy, after); }) {}
  ~LateCheck() {
    {
      const takt::os::Lock lock(mutex_);
      ending_ = true;
    }
    end_.notify_all();
    thread_.join();
  }
  LateCheck(const LateCheck &) = delete;
  LateCheck & operator=(const LateCheck &) = delete;

 private:
  void run(SchedulingExecutor & executor, const takt::SchedulingStrategy::SharedPtr & strategy,
           std::chrono::nanoseconds after) {
    takt::os::UniqueLock lock(mutex_);
    if (end_.wait_for(lock, after, [this]() TAKT_REQUIRES(mutex_) { return ending_; })) return;
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

  takt::os::Mutex mutex_{takt::os::LockRank::program};
  takt::os::Condition end_;
  bool ending_ TAKT_GUARDED_BY(mutex_) = false;
  std::thread thread_;  // the last: it uses the others
};

/// Nothing that a callback may use can be destroyed while it runs: the process ends as it is, by system
/// calls alone, as a callback may hold any lock.
[[noreturn]] void end_without(const std::string & left, std::chrono::nanoseconds limit) {
  dprintf(STDERR_FILENO,
          "takt_component_container: ends without what has not returned within %g s: %s\n",
          std::chrono::duration<double>(limit).count(), left.c_str());
  std::_Exit(1);
}

std::string callbacks(const std::vector<std::string> & names) {
  std::string list;
  for (const std::string & name : names) list += (list.empty() ? "callback '" : ", '") + name + "'";
  return list;
}

void run() {
  const Settings settings = read_settings();
  const auto executor = std::make_shared<SchedulingExecutor>(
      takt::SchedulingOptions{.policy = settings.policy,
                              .cpus = settings.cpus,
                              .pre_shutdown_limit = settings.pre_shutdown_limit});
  const auto manager = std::make_shared<ContainerManager>(executor, settings.callback_timeout);
  std::optional<LateCheck> check;
  if (!settings.strategy.empty()) {
    const auto strategy = takt::load_strategy(settings.strategy);
    executor->set_scheduling_strategy(for_later(*strategy));
    manager->offer_scenarios(strategy->default_scenario());
    RCLCPP_INFO(manager->get_logger(), "schedules by %s, scenario '%s'", settings.strategy.c_str(),
                manager->get_parameter("scenario").as_string().c_str());
    check.emplace(*executor, strategy, settings.strategy_check_after);
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
    if (failed == nullptr && ::rclcpp::ok()) {
      // It is not waited for any longer, and rclcpp's shutdown would.
      end_without("a pre-shutdown callback", settings.pre_shutdown_limit);
    }
    ::rclcpp::shutdown();
  });
  struct End {
    SchedulingExecutor & executor;
    ContainerManager & manager;
    std::chrono::nanoseconds limit;
    std::thread & scheduling;
    ~End() {
      ::rclcpp::shutdown();
      executor.cancel();
      // As if all of them were unloaded.
      const std::vector<std::string> left = manager.unload_all();
      if (!left.empty()) end_without(callbacks(left), limit);
      scheduling.join();
    }
  };
  {
    const End end{*executor, *manager, settings.callback_timeout, scheduling};
    managing.spin();
  }
  if (failed != nullptr) std::rethrow_exception(failed);
}

}  // namespace

int main(int argc, char * argv[]) {
  // rclcpp's handlers know no SIGHUP, and as they go the second of two signals would end the process.
  const auto signals = takt::os::watch_end_signals([] { ::rclcpp::shutdown(); });
  int status = 0;
  try {
    takt::rclcpp::begin_ros(argc, argv);
    run();
  } catch (const std::exception & error) {
    std::fprintf(stderr, "takt_component_container: %s\n", error.what());
    status = 1;
  }
  ::rclcpp::shutdown();
  takt::os::unwatch_end_signals(signals);
  return status;
}
