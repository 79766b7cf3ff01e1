// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "rclcpp_nodes/rclcpp_transport.hpp"

#include <atomic>
#include <chrono>
#include <exception>
#include <map>
#include <rclcpp/node.hpp>
#include <takt/job.hpp>
#include <takt/qos.hpp>
#include <takt_core/executor/thread_roles.hpp>
#include <takt_core/os/clock.hpp>
#include <takt_core/os/thread.hpp>
#include <takt_msgs/msg/ping.hpp>
#include <takt_rclcpp/scheduling_executor.hpp>
#include <utility>

#include "rclcpp_nodes/session.hpp"
#include "report.hpp"

namespace takt::lab {
namespace {

using takt_msgs::msg::Ping;
using Node = ::rclcpp::Node;
using Publisher = ::rclcpp::Publisher<Ping>;

/// The same values as in the transport `takt`.
constexpr int important = 90;
constexpr int unimportant = 1;
constexpr std::size_t beside_bytes = 1024;
constexpr std::chrono::milliseconds beside_period(10);

void publish(Publisher & publisher, std::uint64_t sequence,
             const std::vector<std::uint8_t> & payload) {
  auto message = std::make_unique<Ping>();
  message->sequence = sequence;
  message->payload = payload;
  publisher.publish(std::move(message));
}

std::string text_of(const ::rclcpp::QoS & qos) {
  return to_string(QoS(qos.get_rmw_qos_profile()));
}

class RclcppParty : public Party {
 public:
  RclcppParty(const std::shared_ptr<Node> & node, const ::rclcpp::QoS & qos,
              const PartyOptions & options, Handlers handlers)
      : handlers_(std::move(handlers)),
        payload_(payload_of(options.payload)),
        receivers_(options.receivers) {
    if (!options.sends.empty()) publisher_ = node->create_publisher<Ping>(options.sends, qos);
    if (!options.receives.empty()) {
      subscription_ = node->create_subscription<Ping>(
          options.receives, qos, [this](const std::shared_ptr<const Ping> & message) {
            handlers_.received(*this, {message->sequence, message->payload});
          });
    }
    if (handlers_.tick == nullptr) return;
    timer_ = node->create_wall_timer(
        std::chrono::nanoseconds(handlers_.period), [this](const ::rclcpp::TimerInfo & info) {
          // Under takt, the timer has a phase, which rclcpp's timer does not know.
          const JobInfo * job = current_job();
          handlers_.tick(job != nullptr ? job->index
                                        : index_of(info.expected_call_time.nanoseconds(), t0_,
                                                   handlers_.period));
        });
  }

  void send(std::uint64_t sequence) override { publish(*publisher_, sequence, payload_); }
  bool matched() override {
    return (publisher_ == nullptr || publisher_->get_subscription_count() >= receivers_) &&
           (subscription_ == nullptr || subscription_->get_publisher_count() > 0);
  }
  nlohmann::ordered_json qos() const override {
    auto qos = nlohmann::ordered_json::object();
    if (publisher_ != nullptr) qos["publisher"] = text_of(publisher_->get_actual_qos());
    if (subscription_ != nullptr) qos["subscription"] = text_of(subscription_->get_actual_qos());
    return qos;
  }

  /// To be called before the executor spins. `takts` is the executor if it is takt's, else nullptr.
  void begin(model::Time t0, rclcpp::SchedulingExecutor * takts) {
    t0_ = t0;
    if (takts != nullptr && subscription_ != nullptr) {
      takts->set_task(subscription_, {.priority = important});
    }
    if (timer_ == nullptr) return;
    if (takts != nullptr) {
      takts->set_task(timer_, {.priority = important, .phase = Duration::zero()});
    } else {
      begin_at(timer_, t0);
    }
  }

 private:
  Handlers handlers_;
  const std::vector<std::uint8_t> payload_;
  const std::size_t receivers_;
  model::Time t0_ = 0;
  std::shared_ptr<Publisher> publisher_;
  ::rclcpp::Subscription<Ping>::SharedPtr subscription_;
  ::rclcpp::TimerBase::SharedPtr timer_;
};

SchedulingOptions scheduling_of(const TransportOptions & options) {
  SchedulingOptions given;
  given.policy = "fp";
  if (options.cpu >= 0) given.cpus = {options.cpu};
  given.lock_memory = false;
  if (options.plan) {
    given.plan = *options.plan;
  } else {
    given.log = [](const std::string &) {};  // warnings concern settings that were not requested
  }
  return given;
}

class RclcppTransport : public Transport {
 public:
  RclcppTransport(const std::string & executor, const TransportOptions & options)
      : options_(options),
        session_(executor, scheduling_of(options), options.domain),
        takts_(dynamic_cast<rclcpp::SchedulingExecutor *>(&session_.executor())) {
    qos_.keep_last(options.depth);
    if (!options.reliable) qos_.best_effort();
  }
  ~RclcppTransport() override { stop(); }

  Party & add(const PartyOptions & options, Handlers handlers) override {
    parties_.push_back(
        std::make_unique<RclcppParty>(node(options.name), qos_, options, std::move(handlers)));
    return *parties_.back();
  }

  void add_beside(const std::string & name, std::size_t pairs) override {
    const std::shared_ptr<Node> where = node(name);
    for (std::size_t i = 0; i < pairs; ++i) {
      const std::string topic = name + "_beside" + std::to_string(i);
      const auto publisher = where->create_publisher<Ping>(topic, qos_);
      const auto subscription =
          where->create_subscription<Ping>(topic, qos_, [](const std::shared_ptr<const Ping> &) {});
      const auto timer = where->create_wall_timer(
          beside_period,
          [publisher, payload = payload_of(beside_bytes)] { publish(*publisher, 0, payload); });
      if (takts_ != nullptr) {
        takts_->set_task(subscription, {.priority = unimportant});
        takts_->set_task(timer, {.priority = unimportant});
      }
      beside_.push_back(subscription);
      beside_.push_back(timer);
    }
  }

  void start(model::Time t0) override {
    if (takts_ != nullptr && t0 > 0) takts_->set_start(t0);
    for (const auto & party : parties_) party->begin(t0, takts_);
    const bool plain = takts_ == nullptr;
    const int priority = plain && options_.plan ? options_.plan->workers_high : 0;
    spin_ = os::Thread({.name = plain ? "rclcpp.spin" : "lab.spin",
                        .priority = priority,
                        .cpu = plain ? options_.cpu : -1},
                       [this] { spin(); });
    if (plain) {
      asked_ = spin_.priority();
      spin_tid_ = spin_.tid();
      if (options_.plan) middleware_ = takt::executor::plan_middleware(*options_.plan);
    }
    // The threads, with what was granted to them, exist once the executor spins.
    while (!session_.executor().is_spinning() && !over_.load()) {
      os::sleep_until(os::now() + 1'000'000);
    }
  }

  void stop() override {
    if (!spin_.joinable()) return;
    while (!over_.load()) {
      session_.executor().cancel();
      os::sleep_until(os::now() + 1'000'000);
    }
    spin_.join();
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  }

  takt::executor::Grants grants() const override {
    if (takts_ != nullptr) return takts_->grants();
    takt::executor::Grants grants = plain_grants("rclcpp", asked_, options_.cpu, {});
    grants.threads = middleware_;
    grants.threads.push_back({.name = "rclcpp.spin",
                              .tid = spin_tid_,
                              .role = "worker",
                              .asked = asked_.asked,
                              .granted = asked_.granted,
                              .cpu = options_.cpu,
                              .error = asked_.error});
    return grants;
  }

 private:
  std::shared_ptr<Node> node(const std::string & name) {
    std::shared_ptr<Node> & found = nodes_[name];
    if (found == nullptr) {
      found = std::make_shared<Node>(
          name, ::rclcpp::NodeOptions().use_intra_process_comms(!options_.through_middleware));
      session_.executor().add_node(found);
    }
    return found;
  }
  void spin() noexcept {
    try {
      session_.executor().spin();
    } catch (...) {
      failure_ = std::current_exception();
    }
    over_.store(true);
  }

  TransportOptions options_;
  RclcppSession session_;
  rclcpp::SchedulingExecutor * takts_;
  ::rclcpp::QoS qos_ = 1;
  std::map<std::string, std::shared_ptr<Node>> nodes_;
  std::vector<std::unique_ptr<RclcppParty>> parties_;
  std::vector<std::shared_ptr<void>> beside_;
  os::Granted asked_;
  int spin_tid_ = 0;
  std::vector<takt::executor::PlannedThread> middleware_;
  std::exception_ptr failure_;
  std::atomic<bool> over_{false};
  os::Thread spin_;
};

}  // namespace

std::unique_ptr<Transport> make_rclcpp_transport(const std::string & executor,
                                                 const TransportOptions & options) {
  return std::make_unique<RclcppTransport>(executor, options);
}

const char * lacks_rclcpp() noexcept {
  return nullptr;
}

}  // namespace takt::lab
