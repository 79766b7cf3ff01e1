// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "interference_scene.hpp"

#include <algorithm>
#include <chrono>
#include <functional>
#include <iterator>
#include <takt/context.hpp>
#include <takt/logging.hpp>
#include <takt/node.hpp>
#include <takt/scheduling_executor.hpp>
#include <takt_core/os/lock.hpp>
#include <thread>

#include "interference_acts.hpp"

namespace takt::lab {
namespace {

/// takt's own nodes under its executor.
class TaktFrontEnd {
 public:
  using Node = takt::Node;
  using QoS = takt::QoS;
  using Subscription = takt::SubscriptionBase;
  template <typename S>
  using Client = takt::Client<S>;

  TaktFrontEnd(int cpu, const Interference & of)
      : context_(),
        executor_({.policy = "fp",
                   .cpus = of.cpus(cpu),
                   .kept_heap = of.kept_heap,
                   .max_section = std::chrono::nanoseconds(of.max_section),
                   .diagnostics = {.enabled = false}}) {}

  std::shared_ptr<Node> make_node(const std::string & name, bool simulated) {
    NodeOptions options;
    if (simulated) options.parameter_overrides = {Parameter("use_sim_time", true)};
    return std::make_shared<Node>(name, options);
  }
  CallbackGroup::SharedPtr reentrant(Node & node) {
    return node.create_callback_group(CallbackGroupType::reentrant);
  }
  CallbackGroup::SharedPtr exclusive(Node & node) {
    return node.create_callback_group(CallbackGroupType::mutually_exclusive);
  }
  void add(const std::shared_ptr<Node> & node) { executor_.add_node(node); }
  /// Removes a node and destroys its timers.
  void remove(const std::shared_ptr<Node> & node) {
    executor_.remove_node(node);
    decltype(timers_) gone;  // destroyed without the lock, because that may wait for jobs
    const os::Lock lock(mutex_);
    const auto first = std::partition(timers_.begin(), timers_.end(),
                                      [&](const auto & each) { return each.first != node; });
    std::move(first, timers_.end(), std::back_inserter(gone));
    timers_.erase(first, timers_.end());
  }
  template <typename F>
  std::function<std::string()> make_timer(const std::shared_ptr<Node> & node,
                                          const std::string & name, model::Duration period,
                                          const SceneTiming & timing,
                                          const CallbackGroup::SharedPtr & group, F function,
                                          const std::shared_ptr<Subscription> & reads = {}) {
    const TimerOptions options{.priority = timing.priority,
                               .phase = Duration(timing.phase),
                               .reads = reads ? std::vector<Read>{{reads}} : std::vector<Read>{},
                               .group = group,
                               .processor = timing.processor,
                               .clock = timing.simulated ? ClockType::ros : ClockType::steady};
    auto timer = node->create_timer(name, Duration(period), options, std::move(function));
    std::string id = timer->id();
    const os::Lock lock(mutex_);
    timers_.emplace_back(node, std::move(timer));
    return [id = std::move(id)] { return id; };
  }
  /// Returns the name that a further task has in strategies; empty if `name` is not that of a further task.
  static std::string further_in_strategies(const std::string & name) {
    return name.find("/further_") != std::string::npos ? name : "";
  }
  /// Creates a subscription. If `triggers` is true, each message releases a job.
  template <typename F>
  std::shared_ptr<Subscription> subscribe(const std::shared_ptr<Node> & node,
                                          const std::string & topic, bool triggers, int priority,
                                          const CallbackGroup::SharedPtr & group,
                                          std::size_t processor, F function) {
    return node->create_subscription<takt_msgs::msg::Payload>(
        topic, 1, std::move(function),
        {.priority = priority, .triggers = triggers, .group = group, .processor = processor});
  }

  template <typename S>
  static std::shared_ptr<Client<S>> make_client(Node & node, const std::string & service,
                                                const CallbackGroup::SharedPtr & group,
                                                std::size_t processor) {
    return node.create_client<S>(
        service,
        {.priority = interference::lowest, .qos = QoS(10), .group = group, .processor = processor});
  }

  /// Publishes a message. Returns whether the middleware accepted it.
  template <typename T>
  static bool publish(Publisher<T> & publisher, std::unique_ptr<T> message) {
    const std::uint64_t before = publisher.failures();
    publisher.publish(std::move(message));
    return publisher.failures() == before;
  }

  static void log(const Node & node, std::uint64_t line) {
    TAKT_INFO(node.get_logger(), "line %llu", static_cast<unsigned long long>(line));
  }

  /// Creates another executor with so many timers, lets it run for a moment, stops and destroys it.
  void run_another(int cpu, std::uint32_t callbacks, std::chrono::nanoseconds length) {
    SchedulingExecutor another({.policy = "fp",
                                .cpus = {cpu},
                                .log = [](const auto &) {},
                                .diagnostics = {.enabled = false}});
    const auto node = make_node("another", false);
    std::vector<std::shared_ptr<Timer>> timers;
    for (std::uint32_t i = 0; i < callbacks; ++i) {
      timers.push_back(node->create_timer("t" + std::to_string(i), std::chrono::milliseconds(10),
                                          {.priority = interference::coming}, [] {}));
    }
    another.add_node(node);
    std::thread spins([&another] { another.spin(); });
    std::this_thread::sleep_for(length);
    another.cancel();
    spins.join();
  }

  SchedulingControls & controls() { return executor_; }
  void spin() { executor_.spin(); }
  void cancel() { executor_.cancel(); }

 private:
  /// Keeps takt initialised as long as it exists.
  struct Session {
    Session() {
      takt::InitOptions options;
      options.handle_signals = false;
      takt::init(0, nullptr, options);
    }
    ~Session() { takt::shutdown(); }
    Session(const Session &) = delete;
    Session & operator=(const Session &) = delete;
  };

  Session context_;
  SchedulingExecutor executor_;
  os::Mutex mutex_{os::LockRank::program};
  std::vector<std::pair<std::shared_ptr<Node>, std::shared_ptr<Timer>>> timers_
      TAKT_GUARDED_BY(mutex_);
};

}  // namespace

void ProbeNotes::note(std::uint64_t index, model::Time release, model::Time start,
                      model::Time finish, model::Duration exchange) noexcept {
  const std::uint64_t place = count_++;
  if (place >= jobs_.size()) return;
  jobs_[place] = {.index = index, .release = release, .start = start, .finish = finish};
  publishes_[place] = {
      .x = static_cast<std::int64_t>(index), .at = start, .value = static_cast<double>(exchange)};
}

std::vector<SampleRow> ProbeNotes::publishes() const {
  std::vector<SampleRow> rows(publishes_.begin(), publishes_.begin() + used());
  std::erase_if(rows, [](const SampleRow & row) { return row.value < 0; });
  return rows;
}

std::unique_ptr<InterferenceScene> make_takt_scene(const Interference & interference, int cpu,
                                                   ProbeNotes & notes) {
  return std::make_unique<Scene<TaktFrontEnd>>(interference, cpu, notes);
}

}  // namespace takt::lab
