// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <string>
#include <takt_core/os/clock.hpp>
#include <takt_core/os/event.hpp>
#include <takt_core/os/thread.hpp>
#include <takt_core/tasks/current_job.hpp>
#include <takt_core/tasks/scheduling_strategy.hpp>
#include <takt_msgs/msg/payload.hpp>
#include <takt_msgs/srv/echo.hpp>
#include <thread>
#include <utility>
#include <vector>

#include "interference_scene.hpp"
#include "shared_heap.hpp"

namespace takt::lab {

/// The timing of a callback of the scene.
struct SceneTiming {
  int priority = interference::lowest;
  model::Duration phase = 0;
  bool simulated = false;
  /// An index in Interference::cpus().
  std::size_t processor = 0;
};

/// The scene, implemented with the nodes, timers and publishers of a front end. For the interface of FrontEnd
/// see TaktFrontEnd in interference_scene.cpp. The callbacks do the same with every front end.
template <typename FrontEnd>
class Scene : public InterferenceScene {
  using Payload = takt_msgs::msg::Payload;
  using Node = typename FrontEnd::Node;
  using Publisher = decltype(std::declval<Node &>().template create_publisher<Payload>(
      std::string(), typename FrontEnd::QoS(1)));
  using Echo = takt_msgs::srv::Echo;
  using Client = typename FrontEnd::template Client<Echo>;
  /// Passed by value, because rclcpp does not accept other forms of the callback.
  using Answer = std::shared_future<std::shared_ptr<Echo::Response>>;

 public:
  Scene(const Interference & of, int cpu, ProbeNotes & notes)
      : of_(of),
        cpu_(cpu),
        notes_(notes),
        front_(cpu, of),
        node_(front_.make_node("interference", false)) {
    const auto group = front_.reentrant(*node_);
    // With rclcpp nodes, a timer and what it reads must be in one mutually exclusive group. A group stays on
    // one CPU.
    const auto own = of_.reads == "other-topic" ? front_.exclusive(*node_)
                     : of_.beside_cpu >= 0      ? front_.reentrant(*node_)
                                                : group;
    make_publishers();
    make_clients(group);
    subscribe(group, own);
    probe_ = front_.make_timer(
        node_, "probe", interference::period, {.priority = interference::highest}, own,
        [this] { probe_job(); }, read_);
    if (of_.does == "remove") {
      leaving_ = make_leaving();
    } else {
      front_.make_timer(node_, "least", of_.every, beside(interference::lowest), group,
                        [this] { least_job(); });
    }
    if (of_.middle_is_written()) {
      middle_reader_ =
          front_.subscribe(node_, interference::middle_topic, true, interference::between, group,
                           of_.beside(), [this](const Payload &) { middle_job(); });
    } else if (of_.middle > 0) {
      front_.make_timer(node_, "middle", of_.every,
                        beside(interference::between, interference::middle_delay), group,
                        [this] { middle_job(); });
    }
    for (std::uint32_t i = 0; i < of_.tasks; ++i) {
      front_.make_timer(node_, "further_" + std::to_string(i), further_period,
                        beside(interference::lowest), group, [] {});
    }
    front_.add(node_);
    if (of_.does == "switch") make_strategies();
    for (std::uint32_t i = 0; i < of_.nodes; ++i) follow_simulated_time(i);
    if (of_.does == "add" || of_.does == "remove" || of_.does == "switch" ||
        of_.does == "restart") {
      changing_ = os::Thread({.name = "lab.changes"}, [this] { change(); });
    }
  }
  ~Scene() override {
    over_ = true;
    wake_.post();
    changing_.join();
    if (leaving_ != nullptr) front_.remove(leaving_);
    for (const auto & node : nodes_) front_.remove(node);
    front_.remove(node_);
  }

  SchedulingControls & controls() override { return front_.controls(); }
  std::string probe() const override { return probe_(); }
  void spin() override { front_.spin(); }
  void cancel() override { front_.cancel(); }

  std::string missing() const override {
    if (big_ != nullptr && big_->get_subscription_count() == 0) return "there is no reader";
    if (small_ != nullptr && small_->get_subscription_count() == 0) return "there is no reader";
    for (const auto & client : {caller_, small_caller_}) {
      if (client != nullptr && !client->service_is_ready()) return "there is no server";
    }
    for (const auto & subscription : {taken_, read_, middle_reader_}) {
      if (subscription != nullptr && subscription->get_publisher_count() == 0) {
        return "there is no writer";
      }
    }
    if (of_.does == "clock" && nodes_.front()->count_publishers("/clock") == 0) {
      return "there is no publisher of /clock";
    }
    return {};
  }

  void act(bool on) override { on_ = on; }
  bool quiet() const override {
    return !inside_.load() && changes_made_.load() == changes_requested_.load();
  }
  SceneCounts counts() const override {
    return {.published = published_.load(),
            .failed = failed_.load(),
            .bytes = bytes_.load(),
            .received = received_.load(),
            .received_bytes = received_bytes_.load(),
            .called = called_.load(),
            .read = messages_read_.load(),
            .added = added_.load(),
            .added_inside = added_inside_.load(),
            .removed = removed_.load(),
            .removed_inside = removed_inside_.load(),
            .switched = switched_.load(),
            .restarted = restarted_.load(),
            .allocated = allocated_.load(),
            .logged = logged_.load(),
            .sim_jobs = sim_jobs_.load(),
            .middle_jobs = middle_jobs_.load(),
            .longest_job = longest_job_.load()};
  }

 private:
  static constexpr model::Duration further_period = 1'000'000'000;
  static constexpr model::Duration guest_period = 100'000'000;

  /// The timing of a task that is not the most urgent one.
  SceneTiming beside(int priority, model::Duration phase = 0) const {
    return {.priority = priority, .phase = phase, .processor = of_.beside()};
  }

  void make_publishers() {
    using QoS = typename FrontEnd::QoS;
    if (of_.does == "publish") {
      const std::size_t depth = of_.depth();
      const QoS qos = of_.stopped ? QoS(depth).reliable().keep_all() : QoS(depth);
      big_ = node_->template create_publisher<Payload>(interference::topic, qos);
    }
    if (of_.sends == "other-topic") {
      small_ = node_->template create_publisher<Payload>(interference::other_topic, QoS(10));
    } else if (of_.sends == "same-topic") {
      small_ = node_->template create_publisher<Payload>(interference::topic, QoS(of_.depth()));
    } else if (of_.sends == "same-publisher") {
      small_ = big_;
    }
  }

  template <typename Group>
  void make_clients(const Group & group) {
    if (of_.does == "call")
      caller_ =
          front_.template make_client<Echo>(*node_, interference::service, group, of_.beside());
    if (of_.sends == "same-client") small_caller_ = caller_;
    if (of_.sends == "same-service") {
      small_caller_ =
          front_.template make_client<Echo>(*node_, interference::service, group, of_.beside());
    } else if (of_.sends == "other-service") {
      small_caller_ = front_.template make_client<Echo>(*node_, interference::other_service, group,
                                                        of_.beside());
    }
  }

  template <typename Group>
  void subscribe(const Group & group, const Group & own) {
    if (of_.does == "take") {
      taken_ = front_.subscribe(node_, interference::topic, true, interference::lowest, group,
                                of_.beside(), [this](const Payload & message) {
                                  const Within job(*this);
                                  received_.fetch_add(1);
                                  received_bytes_.fetch_add(message.data.size());
                                });
    }
    if (of_.reads == "same-reader") {
      read_ = taken_;
    } else if (of_.reads == "other-topic") {
      read_ = front_.subscribe(node_, interference::read_topic, false, interference::lowest, own, 0,
                               [this](const Payload &) { messages_read_.fetch_add(1); });
    }
  }

  void follow_simulated_time(std::uint32_t number) {
    nodes_.push_back(front_.make_node("sim_" + std::to_string(number), true));
    const auto & node = nodes_.back();
    front_.make_timer(
        node, "t", of_.every,
        {.priority = interference::lowest, .simulated = true, .processor = of_.beside()},
        front_.reentrant(*node), [this] { sim_jobs_.fetch_add(1); });
    front_.add(node);
  }

  // ---- jobs

  /// Marks, as long as it exists, that the least urgent task is inside one of its jobs.
  class Within {
   public:
    explicit Within(Scene & scene) : scene_(scene) { scene_.inside_ = true; }
    ~Within() {
      const model::Duration length = os::now() - begin_;
      if (length > scene_.longest_job_.load()) scene_.longest_job_ = length;
      scene_.inside_ = false;
    }
    Within(const Within &) = delete;
    Within & operator=(const Within &) = delete;

   private:
    Scene & scene_;
    model::Time begin_ = os::now();
  };

  void probe_job() {
    const auto * job = current_job();
    model::Duration took = -1;
    // The messages that it reads have been taken since the start of its job.
    if (read_ != nullptr) took = os::now() - job->start;
    if (small_ != nullptr) {
      auto message = std::make_unique<Payload>();
      message->data.resize(interference::small_message);
      const model::Time begin = os::now();
      small_->publish(std::move(message));
      took = os::now() - begin;
    } else if (small_caller_ != nullptr) {
      const auto request = std::make_shared<Echo::Request>();
      request->data.resize(interference::small_message);
      const model::Time begin = os::now();
      // NOLINTNEXTLINE(performance-unnecessary-value-param)
      small_caller_->async_send_request(request, [](Answer) {});
      took = os::now() - begin;
    } else if (of_.sends == "same-heap" || of_.sends == "same-log") {
      const model::Time begin = os::now();
      if (of_.sends == "same-heap") {
        heap_.exchange(of_.bytes, job->index);
      } else {
        FrontEnd::log(*node_, job->index);
      }
      took = os::now() - begin;
    }
    notes_.note(job->index, job->release, job->start, os::now(), took);
  }

  void least_job() {
    // In this order, so that a job is either seen by quiet() or sees that the turn has ended.
    const Within job(*this);
    if (!on_.load()) return;
    if (of_.does == "publish") publish();
    if (of_.does == "call") call();
    if (of_.does == "allocate") allocate();
    if (of_.does == "log") log();
    if (changing_.joinable()) {
      changes_requested_.fetch_add(1);
      wake_.post();
      if (of_.does == "remove") {
        std::this_thread::sleep_for(std::chrono::nanoseconds(of_.busy));
      } else {
        compute(of_.busy);
      }
    }
  }

  void middle_job() {
    middle_jobs_.fetch_add(1);
    compute(of_.middle);
  }

  static void compute(model::Duration length) {
    const model::Time end = os::now() + length;
    while (os::now() < end) continue;
  }

  void publish() {
    for (std::uint32_t i = 0; i < of_.burst && on_.load(); ++i) {
      auto message = std::make_unique<Payload>();
      message->data.resize(of_.bytes);
      published_.fetch_add(1);
      if (!FrontEnd::publish(*big_, std::move(message))) {
        // No reader took the message within the time for which the middleware blocks.
        failed_.fetch_add(1);
        return;
      }
      bytes_.fetch_add(of_.bytes);
    }
  }

  void call() {
    const auto request = std::make_shared<Echo::Request>();
    request->data.resize(of_.bytes);
    // NOLINTNEXTLINE(performance-unnecessary-value-param)
    caller_->async_send_request(request, [this](Answer response) {
      received_.fetch_add(1);
      received_bytes_.fetch_add(response.get()->data.size());
    });
    called_.fetch_add(1);
    bytes_.fetch_add(of_.bytes);
  }

  void allocate() {
    const model::Time end = os::now() + of_.busy;
    while (on_.load() && os::now() < end) heap_.exchange(of_.bytes, allocated_.fetch_add(1));
  }

  void log() {
    for (std::uint32_t i = 0; i < of_.burst && on_.load(); ++i) {
      FrontEnd::log(*node_, logged_.fetch_add(1));
    }
  }

  // ---- the thread that changes the application

  void change() {
    for (;;) {
      wake_.wait();
      if (over_) return;
      const std::uint64_t requested = changes_requested_.load();
      if (requested == changes_made_.load()) continue;  // made with the request before
      if (of_.does == "add") come_and_go();
      if (of_.does == "remove") replace();
      if (of_.does == "switch") exchange_strategies();
      if (of_.does == "restart") {
        front_.run_another(of_.cpus(cpu_).back(), of_.callbacks, std::chrono::milliseconds(10));
        restarted_.fetch_add(1);
      }
      changes_made_ = requested;
    }
  }

  void come_and_go() {
    const auto node = front_.make_node("guest_" + std::to_string(added_.load() % 8), false);
    for (std::uint32_t i = 0; i < of_.callbacks; ++i) {
      front_.make_timer(node, "t" + std::to_string(i), guest_period, beside(interference::coming),
                        front_.reentrant(*node), [] {});
    }
    front_.add(node);
    if (inside_.load()) added_inside_.fetch_add(1);
    front_.remove(node);
    added_.fetch_add(1);
  }

  /// The node of the least urgent task, where this node is removed.
  std::shared_ptr<Node> make_leaving() {
    const auto node = front_.make_node("leaving_" + std::to_string(removed_.load() % 8), false);
    front_.make_timer(node, "least", of_.every, beside(interference::lowest),
                      front_.reentrant(*node), [this] { least_job(); });
    front_.add(node);
    return node;
  }

  void replace() {
    if (inside_.load()) removed_inside_.fetch_add(1);
    front_.remove(leaving_);
    removed_.fetch_add(1);
    leaving_ = make_leaving();
  }

  /// Creates two strategies that differ in the periods of all further tasks, in both of their scenarios.
  void make_strategies() {
    std::vector<std::string> further;
    for (const auto & [number, name] : front_.controls().tasks()) {
      std::string task = FrontEnd::further_in_strategies(name);
      if (!task.empty()) further.push_back(std::move(task));
    }
    for (std::size_t i = 0; i < strategies_.size(); ++i) {
      auto & strategy = strategies_[i];
      strategy = std::make_shared<SchedulingStrategy>();
      for (const char * name : {"calm", "alarm"}) {
        SchedulingScenario scenario(name);
        const auto periods = static_cast<model::Duration>(strategy->scenarios().size() + 2 * i + 1);
        for (const std::string & task : further) {
          scenario.set_task(task, {.period = Duration(periods * further_period)});
        }
        strategy->add_scenario(scenario);
      }
      strategy->set_default_scenario("calm");
    }
    front_.controls().set_scheduling_strategy(strategies_.front());
  }

  void exchange_strategies() {
    const std::uint64_t count = switched_.load();
    front_.controls().request_scenario(count % 2 == 0 ? "alarm" : "calm");
    front_.controls().set_scheduling_strategy(strategies_[(count + 1) % strategies_.size()]);
    switched_.fetch_add(1);
  }

  const Interference of_;
  const int cpu_;
  ProbeNotes & notes_;
  std::atomic<bool> on_{false};
  std::atomic<bool> inside_{false};
  // A request during a change is for another one, after which quiet() becomes true.
  std::atomic<std::uint64_t> changes_requested_{0};
  std::atomic<std::uint64_t> changes_made_{0};
  std::atomic<bool> over_{false};
  std::atomic<std::uint64_t> published_{0}, failed_{0}, bytes_{0}, received_{0}, received_bytes_{0},
      messages_read_{0}, called_{0}, added_{0}, added_inside_{0}, removed_{0}, removed_inside_{0},
      switched_{0}, restarted_{0}, allocated_{0}, logged_{0}, sim_jobs_{0}, middle_jobs_{0};
  std::atomic<model::Duration> longest_job_{0};
  SharedHeap heap_;
  os::Event wake_;

  FrontEnd front_;
  std::shared_ptr<Node> node_;
  std::vector<std::shared_ptr<Node>> nodes_;
  std::shared_ptr<Node> leaving_;  // used by the thread that changes the application
  std::array<SchedulingStrategy::SharedPtr, 2> strategies_;
  Publisher big_, small_;
  std::shared_ptr<Client> caller_, small_caller_;
  /// The subscriptions of the least urgent and of the most urgent task, and of the one between.
  std::shared_ptr<typename FrontEnd::Subscription> taken_;
  std::shared_ptr<typename FrontEnd::Subscription> read_;
  std::shared_ptr<typename FrontEnd::Subscription> middle_reader_;
  std::function<std::string()> probe_;
  os::Thread changing_;
};

}  // namespace takt::lab
