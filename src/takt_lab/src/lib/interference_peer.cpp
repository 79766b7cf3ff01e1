// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "interference_peer.hpp"

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <rosgraph_msgs/msg/clock.hpp>
#include <takt/context.hpp>
#include <takt/node.hpp>
#include <takt_core/os/clock.hpp>
#include <takt_core/os/event.hpp>
#include <takt_core/os/thread.hpp>
#include <takt_msgs/srv/echo.hpp>

#include "error.hpp"
#include "payload.hpp"
#include "peer.hpp"

namespace takt::lab {
namespace {

using rosgraph_msgs::msg::Clock;
using takt_msgs::srv::Echo;

constexpr auto clock_period = std::chrono::milliseconds(1);
constexpr model::Duration clock_second = 1'000'000'000;

/// The activity of another process, which can be switched on and off.
class Outside {
 public:
  virtual ~Outside() = default;
  virtual void act(bool on) { on_ = on; }
  virtual PeerCounts counts() const { return {times_.load(), bytes_.load()}; }

 protected:
  bool on() const { return on_.load(); }
  void count(std::size_t bytes) {
    times_.fetch_add(1);
    bytes_.fetch_add(bytes);
  }

 private:
  std::atomic<bool> on_{false};
  std::atomic<std::uint64_t> times_{0};
  std::atomic<std::uint64_t> bytes_{0};
};

class Reader : public Outside {
 public:
  Reader(Node & node, const Interference & of) {
    const QoS big = of.stopped ? QoS(of.depth()).reliable().keep_all() : QoS(of.depth());
    for (const auto & [topic, qos] :
         {std::pair{interference::topic, big}, std::pair{interference::other_topic, QoS(10)}}) {
      subscriptions_.push_back(node.create_subscription<Payload>(
          topic, qos, [this](const Payload & message) { count(message.data.size()); }));
    }
  }

 private:
  std::vector<std::shared_ptr<Subscription<Payload>>> subscriptions_;
};

class Server : public Outside {
 public:
  explicit Server(Node & node) {
    for (const char * name : {interference::service, interference::other_service}) {
      services_.push_back(node.create_service<Echo>(
          name, [this](const Echo::Request & request, Echo::Response & response) {
            response.data = request.data;
            count(request.data.size());
          }));
    }
  }

 private:
  std::vector<std::shared_ptr<Callback>> services_;
};

class Writer : public Outside {
 public:
  Writer(Node & node, const Interference & of) {
    small_message_.data.assign(interference::small_message, 1);
    if (of.does == "take") {
      publisher_ = node.create_publisher<Payload>(interference::topic, 1);
      message_.data.assign(of.bytes, 1);
      if (of.middle_is_written()) {
        middle_publisher_ = node.create_publisher<Payload>(interference::middle_topic, 1);
      }
      timer_ = node.create_timer("write", Duration(of.every), [this] {
        if (on()) write();
        if (middle_publisher_ == nullptr) return;
        os::sleep_until(os::now() + interference::middle_delay);
        middle_publisher_->publish(small_message_);
      });
    }
    // The messages that the most urgent task reads, which are published in all turns.
    if (of.reads == "other-topic") {
      small_publisher_ = node.create_publisher<Payload>(interference::read_topic, 1);
      small_timer_ = node.create_timer("write_small", Duration(interference::period), [this] {
        ++small_message_.sequence;
        small_publisher_->publish(small_message_);
      });
    }
  }

 private:
  void write() {
    ++message_.sequence;
    publisher_->publish(message_);
    count(message_.data.size());
  }

  std::shared_ptr<Publisher<Payload>> publisher_;
  std::shared_ptr<Publisher<Payload>> small_publisher_;
  std::shared_ptr<Publisher<Payload>> middle_publisher_;
  Payload message_;
  Payload small_message_;
  std::shared_ptr<Timer> timer_;
  std::shared_ptr<Timer> small_timer_;
};

/// Publishes simulated time, which continues at the instant at which it was last stopped.
class TimeTeller : public Outside {
 public:
  explicit TimeTeller(Node & node)
      : publisher_(node.create_publisher<Clock>("/clock", clock_qos())),
        timer_(node.create_timer("tell", clock_period, [this] {
          if (!on()) return;
          time_ += Duration(clock_period).count();
          Clock message;
          message.clock.sec = static_cast<std::int32_t>(time_ / clock_second);
          message.clock.nanosec = static_cast<std::uint32_t>(time_ % clock_second);
          publisher_->publish(message);
          count(sizeof(message));
        })) {}

 private:
  static QoS clock_qos() { return QoS(1).best_effort(); }

  std::shared_ptr<Publisher<Clock>> publisher_;
  model::Time time_ = clock_second;
  std::shared_ptr<Timer> timer_;
};

/// Creates and destroys nodes with a publisher, a subscription and a timer, one after another.
class Comer : public Outside {
 public:
  explicit Comer(const Interference & of)
      : every_(of.every), thread_({.name = "lab.comer"}, [this] { come_and_go(); }) {}
  ~Comer() override {
    over_ = true;
    wake_.post();
  }
  void act(bool on) override {
    Outside::act(on);
    wake_.post();
  }

 private:
  void come_and_go() {
    for (model::Time next = os::now(); !over_;) {
      if (!on()) {
        wake_.wait();
        next = os::now();
        continue;
      }
      {
        const auto node = std::make_shared<Node>("comer_" + std::to_string(made_++ % 8));
        const auto publisher = node->create_publisher<Payload>(interference::other_topic, 1);
        const auto subscription = node->create_subscription<Payload>(interference::other_topic, 1,
                                                                     [](const Payload &) {});
        const auto timer = node->create_timer("t", std::chrono::milliseconds(100), [] {});
        count(0);
      }
      next = std::max(next + every_, os::now());
      wake_.wait_until(next);
    }
  }

  const model::Duration every_;
  std::uint64_t made_ = 0;
  std::atomic<bool> over_{false};
  os::Event wake_;
  os::Thread thread_;  // last, so that it ends first
};

std::unique_ptr<Outside> make(const std::string & role, Node & node, const Interference & of) {
  if (role == "reader") return std::make_unique<Reader>(node, of);
  if (role == "server") return std::make_unique<Server>(node);
  if (role == "writer") return std::make_unique<Writer>(node, of);
  if (role == "clock") return std::make_unique<TimeTeller>(node);
  if (role == "comer") return std::make_unique<Comer>(of);
  throw Error("--peer " + role + ": unknown role");
}

}  // namespace

std::vector<std::string> peers_of(const Interference & of) {
  std::vector<std::string> peers;
  if (of.is_read()) peers.emplace_back("reader");
  if (of.is_answered()) peers.emplace_back("server");
  if (of.is_written()) peers.emplace_back("writer");
  if (of.does == "discover") peers.emplace_back("comer");
  if (of.does == "clock") peers.emplace_back("clock");
  return peers;
}

void run_peer(const std::string & role, const Interference & of) {
  end_with_parent();
  takt::InitOptions options;
  options.handle_signals = false;
  takt::init(0, nullptr, options);
  {
    const auto node = std::make_shared<Node>("interference_" + role);
    const auto outside = make(role, *node, of);
    serve_peer(node, [&](bool on) { outside->act(on); }, [&] { return outside->counts(); });
  }
  takt::shutdown();
}

}  // namespace takt::lab
