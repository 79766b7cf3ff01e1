// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// A component container with takt's executor, for launch files and `ros2 component`. It is configured by
// ROS parameters of the container's node: see docs/reference/rclcpp.md.
#include <atomic>
#include <chrono>
#include <cstdio>
#include <exception>
#include <memory>
#include <optional>
#include <rclcpp/rclcpp.hpp>
#include <string>
#include <thread>
#include <vector>

#include "container_arguments.hpp"
#include "container_manager.hpp"
#include "container_settings.hpp"
#include "ending.hpp"
#include "late_check.hpp"
#include "takt_core/os/end_signals.hpp"
#include "takt_core/tasks/error.hpp"
#include "takt_rclcpp/scheduling_executor.hpp"

namespace {

using takt::rclcpp::ContainerManager;
using takt::rclcpp::ContainerSettings;
using takt::rclcpp::Ending;
using takt::rclcpp::LateCheck;
using takt::rclcpp::SchedulingExecutor;

// A signal takes effect only when everything has been created. If the context is shut down while nodes are
// created, rcl leaves some of their entities behind, and Cyclone DDS then aborts the process.
std::atomic<bool> told_to_end = false;
std::atomic<bool> begun = false;

/// Returns a copy of the strategy in which all tasks are optional, because components are loaded after the
/// file has been read.
takt::SchedulingStrategy::SharedPtr for_later(const takt::SchedulingStrategy & strategy) {
  const auto lenient = std::make_shared<takt::SchedulingStrategy>(strategy.source());
  lenient->set_default_scenario(strategy.default_scenario());
  for (const takt::SchedulingScenario & scenario : strategy.scenarios()) {
    takt::SchedulingScenario copy(scenario.name());
    if (scenario.policy()) copy.set_scheduling_policy(*scenario.policy());
    for (const auto & entry : scenario.tasks()) {
      takt::TaskTiming timing = entry.timing;
      timing.optional = true;
      // The task that refreshes its inputs may be loaded later, too.
      if (!timing.max_age.empty() && !timing.on_stale) {
        timing.on_stale = takt::model::OnStale::report;
      }
      copy.set_task(entry.id, timing, entry.where);
    }
    lenient->add_scenario(copy);
  }
  return lenient;
}

/// Returns the names of the callbacks that have started and not returned.
std::vector<std::string> running(const SchedulingExecutor & executor) {
  std::vector<std::string> names;
  // Not the executor's own tasks(), which would update the tasks first.
  for (const auto & [number, name] : executor.SchedulingControls::tasks()) {
    try {
      const takt::model::TaskCounters counters = executor.counters(name);
      if (counters.started > counters.finished) names.push_back(name);
    } catch (const takt::Error &) {
      continue;  // removed in the meantime
    }
  }
  return names;
}

/// Logs the executor's notices as the settings say, at most one per second of each kind.
void log_notices(const ContainerSettings & settings, SchedulingExecutor & executor) {
  constexpr int once_in = 1000;  // ms
  static ::rclcpp::Clock clock(RCL_STEADY_TIME);
  static const auto logger = ::rclcpp::get_logger("takt_component_container");
  if (settings.log_misses) {
    executor.on_deadline_miss([](const auto &, const std::string & callback) {
      RCLCPP_WARN_THROTTLE(logger, clock, once_in, "callback '%s' has missed its deadline",
                           callback.c_str());
    });
  }
  if (settings.log_overruns) {
    executor.on_overrun([](const auto &, const std::string & callback) {
      RCLCPP_WARN_THROTTLE(logger, clock, once_in,
                           "callback '%s' was released before its last job ended",
                           callback.c_str());
    });
  }
  if (settings.log_budgets) {
    executor.on_exhausted_budget([](const auto &, const std::string & callback) {
      RCLCPP_WARN_THROTTLE(logger, clock, once_in, "callback '%s' has used up its budget",
                           callback.c_str());
    });
  }
}

/// Returns a line that says how the executor schedules. To be called when its threads exist.
std::string how(const SchedulingExecutor & executor, const std::string & strategy) {
  const takt::Grants grants = executor.grants();
  std::string cpus;
  for (std::size_t i = 0; i < executor.processor_count(); ++i) {
    const takt::Grants of_one = executor.processor(i).grants();
    cpus += (i == 0 ? " " : ", ") + std::to_string(of_one.cpu);
    if (!of_one.pinned) cpus += " (not pinned)";
  }
  std::string line = "schedules by policy '" + grants.policy_in_use + "' on CPU" + cpus;
  if (!strategy.empty()) line += ", " + strategy + ", scenario '" + executor.scenario() + "'";
  line += grants.realtime ? ", with" : ", without";
  return line + " real-time priorities, memory " + (grants.memory_locked ? "" : "not ") + "locked";
}

/// Creates everything that the container needs, and runs it.
class Container {
 public:
  explicit Container(const std::vector<std::string> & arguments)
      : settings_(takt::rclcpp::read_container_settings(arguments)),
        executor_(std::make_shared<SchedulingExecutor>(settings_.scheduling)),
        manager_(std::make_shared<ContainerManager>(executor_, settings_.callback_timeout)),
        ending_(settings_.scheduling.pre_shutdown_limit, [this] { return running(*executor_); }) {
    log_notices(settings_, *executor_);
    if (!settings_.strategy.empty()) {
      const auto strategy = takt::load_strategy(settings_.strategy);
      executor_->set_scheduling_strategy(for_later(*strategy));
      manager_->offer_scenarios(strategy->default_scenario());
      check_.emplace(*executor_, strategy, settings_.strategy_check_after);
      manager_->on_load([this] { check_->look_again(); });
    }
    start_ = manager_->create_wall_timer(std::chrono::milliseconds(20), [this] {
      if (!executor_->processor().spinning()) return;
      start_->cancel();
      RCLCPP_INFO(manager_->get_logger(), "%s", how(*executor_, settings_.strategy).c_str());
    });
    managing_.add_node(manager_);
  }

  /// Runs until the context is shut down. The end of either executor ends the other.
  void spin() {
    std::exception_ptr failed;
    std::thread scheduling([&] {
      try {
        executor_->spin();
      } catch (...) {
        failed = std::current_exception();
      }
      takt::rclcpp::shut_down();
    });
    struct End {
      Container & self;
      std::thread & scheduling;
      ~End() {
        takt::rclcpp::shut_down();
        self.executor_->cancel();
        // The components are destroyed in the same way as when they are unloaded.
        const Ending & ending = self.ending_;
        const std::vector<std::string> left = self.manager_->unload_all(
            takt::rclcpp::remaining(self.settings_.callback_timeout, ending.lasts()));
        if (!left.empty()) takt::rclcpp::end_without(takt::rclcpp::callbacks(left), ending.lasts());
        scheduling.join();
      }
    };
    {
      const End end{*this, scheduling};
      managing_.spin();
    }
    if (failed != nullptr) std::rethrow_exception(failed);
  }

 private:
  const ContainerSettings settings_;
  const std::shared_ptr<SchedulingExecutor> executor_;
  const std::shared_ptr<ContainerManager> manager_;
  Ending ending_;  // created before any component can add a pre-shutdown callback
  std::optional<LateCheck> check_;
  ::rclcpp::TimerBase::SharedPtr start_;
  ::rclcpp::executors::SingleThreadedExecutor managing_;
};

}  // namespace

int main(int argc, char * argv[]) {
  // Instead of rclcpp's signal handlers: these do not handle SIGHUP, and once they are removed, a second
  // signal would end the process.
  const auto signals = takt::os::watch_end_signals([] {
    told_to_end.store(true);
    if (begun.load()) takt::rclcpp::shut_down();
  });
  const auto failed = [](const char * what) {
    std::fprintf(stderr, "takt_component_container: %s\n", what);
    return 1;
  };
  int status = 0;
  try {
    takt::rclcpp::init_container(argc, argv);
    Container container(std::vector<std::string>(argv, argv + argc));
    begun.store(true);
    if (!told_to_end.load()) container.spin();
  } catch (const std::exception & error) {
    status = failed(error.what());
  } catch (...) {
    status = failed("a component has thrown an exception not derived from std::exception");
  }
  takt::rclcpp::shut_down();
  takt::os::unwatch_end_signals(signals);
  return status;
}
