// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "rclcpp_nodes/rclcpp_interference.hpp"

#include <chrono>
#include <functional>
#include <rclcpp/create_timer.hpp>
#include <rclcpp/logging.hpp>
#include <rclcpp/node.hpp>
#include <takt_core/os/lock.hpp>
#include <takt_rclcpp/scheduling_executor.hpp>
#include <thread>

#include "interference_acts.hpp"
#include "rclcpp_nodes/executors.hpp"
#include "rclcpp_nodes/session.hpp"

namespace takt::lab {
namespace {

/// rclcpp nodes under takt's executor.
class RclcppFrontEnd {
 public:
  using Node = ::rclcpp::Node;
  using QoS = ::rclcpp::QoS;
  using Subscription = ::rclcpp::SubscriptionBase;
  template <typename S>
  using Client = ::rclcpp::Client<S>;

  RclcppFrontEnd(int cpu, const Interference & of)
      : session_(takts_for_rclcpp, {.policy = "fp",
                                    .cpus = of.cpus(cpu),
                                    .kept_heap = of.kept_heap,
                                    .max_section = std::chrono::nanoseconds(of.max_section)}) {}

  std::shared_ptr<Node> make_node(const std::string & name, bool simulated) {
    ::rclcpp::NodeOptions options;
    if (simulated) options.append_parameter_override("use_sim_time", true);
    return std::make_shared<Node>(name, options);
  }
  ::rclcpp::CallbackGroup::SharedPtr reentrant(Node & node) {
    return group(node, ::rclcpp::CallbackGroupType::Reentrant);
  }
  ::rclcpp::CallbackGroup::SharedPtr exclusive(Node & node) {
    return group(node, ::rclcpp::CallbackGroupType::MutuallyExclusive);
  }
  void add(const std::shared_ptr<Node> & node) { executor().add_node(node); }
  /// Removes a node and destroys its timers.
  void remove(const std::shared_ptr<Node> & node) {
    executor().remove_node(node);
    executor().finish_removals();
    const os::Lock lock(mutex_);
    std::erase_if(timers_, [&](const auto & each) { return each.first == node.get(); });
    std::erase_if(groups_, [&](const auto & each) { return each.first == node.get(); });
  }
  template <typename F>
  std::function<std::string()> make_timer(const std::shared_ptr<Node> & node, const std::string &,
                                          model::Duration period, const SceneTiming & timing,
                                          const ::rclcpp::CallbackGroup::SharedPtr & group,
                                          F function,
                                          const std::shared_ptr<Subscription> & reads = {}) {
    const std::chrono::nanoseconds every(period);
    ::rclcpp::TimerBase::SharedPtr timer;
    if (timing.simulated) {
      timer = ::rclcpp::create_timer(node, node->get_clock(), every, std::move(function), group);
    } else {
      timer = node->create_wall_timer(every, std::move(function), group);
    }
    rclcpp::TaskOptions options{.priority = timing.priority, .processor = timing.processor};
    if (!timing.simulated) options.phase = Duration(timing.phase);
    if (reads) options.reads = {{reads}};
    executor().set_task(timer, options);
    const os::Lock lock(mutex_);
    timers_.emplace_back(node.get(), timer);
    return [this, timer] { return executor().task_name(timer); };
  }
  /// Returns the name that a further task has in strategies; empty if `name` is not that of a further task.
  /// Further tasks are recognised by their period. In strategies, the first of several tasks of the same name
  /// is `#1`.
  static std::string further_in_strategies(const std::string & name) {
    if (name.find("/timer:1s") == std::string::npos) return "";
    return name.find('#') == std::string::npos ? name + "#1" : name;
  }
  template <typename F>
  std::shared_ptr<Subscription> subscribe(const std::shared_ptr<Node> & node,
                                          const std::string & topic, bool triggers, int priority,
                                          const ::rclcpp::CallbackGroup::SharedPtr & group,
                                          std::size_t processor, F function) {
    ::rclcpp::SubscriptionOptions options;
    options.callback_group = group;
    auto subscription =
        node->create_subscription<takt_msgs::msg::Payload>(topic, 1, std::move(function), options);
    executor().set_task(subscription,
                        {.priority = priority, .triggers = triggers, .processor = processor});
    return subscription;
  }

  template <typename S>
  std::shared_ptr<Client<S>> make_client(Node & node, const std::string & service,
                                         const ::rclcpp::CallbackGroup::SharedPtr & group,
                                         std::size_t processor) {
    auto client = node.create_client<S>(service, QoS(10), group);
    executor().set_task(client, {.priority = interference::lowest, .processor = processor});
    return client;
  }

  template <typename T>
  static bool publish(::rclcpp::Publisher<T> & publisher, std::unique_ptr<T> message) {
    try {
      publisher.publish(std::move(message));
      return true;
    } catch (const ::rclcpp::exceptions::RCLError &) {
      return false;
    }
  }

  static void log(const Node & node, std::uint64_t line) {
    RCLCPP_INFO(node.get_logger(), "line %llu", static_cast<unsigned long long>(line));
  }

  /// Creates another executor with so many timers, lets it run for a moment, stops and destroys it.
  void run_another(int cpu, std::uint32_t callbacks, std::chrono::nanoseconds length) {
    rclcpp::SchedulingExecutor another(SchedulingOptions{.policy = "fp",
                                                         .cpus = {cpu},
                                                         .log = [](const auto &) {},
                                                         .diagnostics = {.enabled = false}});
    const auto node = make_node("another", false);
    std::vector<::rclcpp::TimerBase::SharedPtr> timers;
    for (std::uint32_t i = 0; i < callbacks; ++i) {
      timers.push_back(node->create_wall_timer(std::chrono::milliseconds(10), [] {}));
      another.set_task(timers.back(), {.priority = interference::coming});
    }
    another.add_node(node);
    std::thread spins([&another] { another.spin(); });
    std::this_thread::sleep_for(length);
    another.cancel();
    spins.join();
    another.remove_node(node);
  }

  SchedulingControls & controls() { return executor(); }
  void spin() { executor().spin(); }
  void cancel() { executor().cancel(); }

 private:
  ::rclcpp::CallbackGroup::SharedPtr group(Node & node, ::rclcpp::CallbackGroupType type) {
    const os::Lock lock(mutex_);
    return groups_.emplace_back(&node, node.create_callback_group(type)).second;
  }
  rclcpp::SchedulingExecutor & executor() {
    return static_cast<rclcpp::SchedulingExecutor &>(session_.executor());
  }

  RclcppSession session_;
  os::Mutex mutex_{os::LockRank::program};
  std::vector<std::pair<Node *, ::rclcpp::CallbackGroup::SharedPtr>> groups_
      TAKT_GUARDED_BY(mutex_);
  std::vector<std::pair<Node *, ::rclcpp::TimerBase::SharedPtr>> timers_ TAKT_GUARDED_BY(mutex_);
};

}  // namespace

std::unique_ptr<InterferenceScene> make_rclcpp_scene(const Interference & interference, int cpu,
                                                     ProbeNotes & notes) {
  return std::make_unique<Scene<RclcppFrontEnd>>(interference, cpu, notes);
}

}  // namespace takt::lab
