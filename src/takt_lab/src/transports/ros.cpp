// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "transports/ros.hpp"

#include <exception>
#include <map>
#include <takt/context.hpp>
#include <takt/job.hpp>
#include <takt/node.hpp>
#include <takt/scheduling_executor.hpp>
#include <takt/stock_executor.hpp>
#include <takt_core/executor/thread_roles.hpp>
#include <takt_core/os/thread.hpp>
#include <takt_msgs/msg/ping.hpp>
#include <type_traits>
#include <utility>

#include "error.hpp"
#include "report.hpp"

namespace takt::lab {
namespace {

/// Priorities of tasks under takt: one level for everything that is measured, and a lower one for the rest.
constexpr int important = 90;
constexpr int unimportant = 1;
constexpr std::size_t beside_bytes = 1024;
constexpr model::Duration beside_period = 10'000'000;

std::shared_ptr<Publisher<takt_msgs::msg::Ping>> make_publisher(Node & node,
                                                                const std::string & topic,
                                                                const QoS & qos,
                                                                std::size_t bytes) {
  auto publisher = node.create_publisher<takt_msgs::msg::Ping>(topic, qos);
  publisher->prepare_messages(
      [payload = payload_of(bytes)](takt_msgs::msg::Ping & message) { message.payload = payload; });
  return publisher;
}

void publish(Publisher<takt_msgs::msg::Ping> & publisher, std::uint64_t sequence) {
  auto message = publisher.borrow_loaned_message();
  message->sequence = sequence;
  publisher.publish(std::move(message));
}

class RosParty : public Party {
 public:
  RosParty(std::shared_ptr<Node> node, const QoS & qos, const PartyOptions & options,
           Handlers handlers)
      : node_(std::move(node)), handlers_(std::move(handlers)), receivers_(options.receivers) {
    if (!options.sends.empty()) {
      publisher_ = make_publisher(*node_, options.sends, qos, options.payload);
    }
    if (!options.receives.empty()) {
      subscription_ = node_->create_subscription<takt_msgs::msg::Ping>(
          options.receives, qos,
          [this](const takt_msgs::msg::Ping & message) {
            handlers_.received(*this, {message.sequence, message.payload});
          },
          {.priority = important});
    }
    if (handlers_.tick == nullptr) return;
    timer_ = node_->create_timer(options.name + "_tick", takt::Duration(handlers_.period),
                                 {.priority = important},
                                 [this](const takt::JobInfo & job) { handlers_.tick(job.index); });
  }

  void send(std::uint64_t sequence) override { publish(*publisher_, sequence); }
  bool matched() override {
    return (publisher_ == nullptr || publisher_->get_subscription_count() >= receivers_) &&
           (subscription_ == nullptr || subscription_->get_publisher_count() > 0);
  }
  nlohmann::ordered_json qos() const override {
    auto qos = nlohmann::ordered_json::object();
    if (publisher_ != nullptr) qos["publisher"] = to_string(publisher_->get_actual_qos());
    if (subscription_ != nullptr) qos["subscription"] = to_string(subscription_->get_actual_qos());
    return qos;
  }

 private:
  std::shared_ptr<Node> node_;
  Handlers handlers_;
  const std::size_t receivers_;
  std::shared_ptr<Publisher<takt_msgs::msg::Ping>> publisher_;
  std::shared_ptr<Subscription<takt_msgs::msg::Ping>> subscription_;
  std::shared_ptr<Timer> timer_;
};

/// Keeps the default context initialised as long as it exists.
struct Session {
  explicit Session(const TransportOptions & options) {
    InitOptions init;
    init.domain_id = options.domain;
    init.handle_signals = false;
    takt::init(0, nullptr, init);
  }
  ~Session() { takt::shutdown(); }
  Session(const Session &) = delete;
  Session & operator=(const Session &) = delete;
};

std::unique_ptr<SchedulingExecutor> make_executor(const TransportOptions & options,
                                                  std::type_identity<SchedulingExecutor>) {
  SchedulingExecutorOptions given;
  given.policy = "fp";
  if (options.cpu >= 0) given.cpus = {options.cpu};
  given.lock_memory = false;
  given.diagnostics.enabled = false;
  if (options.plan) {
    given.plan = *options.plan;
  } else {
    given.log = [](const std::string &) {};  // warnings concern settings that were not requested
  }
  return std::make_unique<SchedulingExecutor>(given);
}
std::unique_ptr<StockExecutor> make_executor(const TransportOptions &,
                                             std::type_identity<StockExecutor>) {
  return std::make_unique<StockExecutor>();
}

/// Nodes under one executor.
template <typename Executor>
class RosTransport : public Transport {
  static constexpr bool stock = std::is_same_v<Executor, StockExecutor>;

 public:
  explicit RosTransport(const TransportOptions & options)
      : options_(options),
        session_(options),
        executor_(make_executor(options, std::type_identity<Executor>{})) {
    qos_.keep_last(options.depth);
    if (!options.reliable) qos_.best_effort();
  }
  ~RosTransport() override { stop(); }

  Party & add(const PartyOptions & options, Handlers handlers) override {
    parties_.push_back(
        std::make_unique<RosParty>(node(options.name), qos_, options, std::move(handlers)));
    return *parties_.back();
  }

  void add_beside(const std::string & name, std::size_t pairs) override {
    const std::shared_ptr<Node> where = node(name);
    for (std::size_t i = 0; i < pairs; ++i) {
      const std::string topic = name + "_beside" + std::to_string(i);
      auto publisher = make_publisher(*where, topic, qos_, beside_bytes);
      beside_.push_back(where->create_subscription<takt_msgs::msg::Ping>(
          topic, qos_, [](const takt_msgs::msg::Ping &) {}, {.priority = unimportant}));
      beside_.push_back(where->create_timer(
          topic + "_timer", takt::Duration(beside_period), {.priority = unimportant},
          [publisher](const takt::JobInfo & job) { publish(*publisher, job.index); }));
    }
  }

  void start(model::Time t0) override {
    if (t0 > 0) executor_->set_start(t0);
    const int priority = stock && options_.plan ? options_.plan->workers_high : 0;
    spin_ = os::Thread({.name = stock ? "stock.spin" : "lab.spin",
                        .priority = priority,
                        .cpu = stock ? options_.cpu : -1},
                       [this] { spin(); });
    if constexpr (stock) {
      asked_ = spin_.priority();
      spin_tid_ = spin_.tid();
      if (options_.plan) middleware_ = executor::plan_middleware(*options_.plan);
    }
    // takt's threads, with what was granted to them, exist once the executor spins.
    while (!executor_->spinning() && !over_.load()) os::sleep_until(os::now() + 1'000'000);
  }

  void stop() override {
    if (!spin_.joinable()) return;
    while (!over_.load()) {
      executor_->cancel();
      os::sleep_until(os::now() + 1'000'000);
    }
    spin_.join();
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  }

  executor::Grants grants() const override {
    if constexpr (stock) {
      executor::Grants grants = plain_grants("ros", asked_, options_.cpu, {});
      grants.threads = middleware_;
      grants.threads.push_back({.name = "stock.spin",
                                .tid = spin_tid_,
                                .role = "worker",
                                .asked = asked_.asked,
                                .granted = asked_.granted,
                                .cpu = options_.cpu,
                                .error = asked_.error});
      return grants;
    } else {
      return executor_->grants();
    }
  }

 private:
  std::shared_ptr<Node> node(const std::string & name) {
    std::shared_ptr<Node> & found = nodes_[name];
    if (found == nullptr) {
      NodeOptions options;
      options.intra_process = !options_.through_middleware;
      found = std::make_shared<Node>(name, options);
      executor_->add_node(found);
    }
    return found;
  }
  void spin() noexcept {
    try {
      executor_->spin();
    } catch (...) {
      failure_ = std::current_exception();
    }
    over_.store(true);
  }

  TransportOptions options_;
  Session session_;
  QoS qos_ = 1;
  std::unique_ptr<Executor> executor_;
  std::map<std::string, std::shared_ptr<Node>> nodes_;
  std::vector<std::unique_ptr<RosParty>> parties_;
  std::vector<std::shared_ptr<void>> beside_;
  os::Granted asked_;
  int spin_tid_ = 0;
  std::vector<executor::PlannedThread> middleware_;
  std::exception_ptr failure_;
  std::atomic<bool> over_{false};
  os::Thread spin_;
};

}  // namespace

std::unique_ptr<Transport> make_takt(const TransportOptions & options) {
  return std::make_unique<RosTransport<SchedulingExecutor>>(options);
}
std::unique_ptr<Transport> make_stock(const TransportOptions & options) {
  return std::make_unique<RosTransport<StockExecutor>>(options);
}

}  // namespace takt::lab
