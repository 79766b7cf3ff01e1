// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// One object of each kind that ROS 2 tracing tools know: publishers with a reader inside and
// outside the process, subscriptions that trigger jobs and that are only read, timers, a service,
// callbacks that are lambdas and one that is a plain function. Prints `done` when all have run.

#include <chrono>
#include <memory>
#include <std_msgs/msg/u_int64.hpp>
#include <takt/takt.hpp>
#include <takt_msgs/srv/echo.hpp>

#include "programs.hpp"
#include "ready.hpp"

using namespace std::chrono_literals;
using Message = std_msgs::msg::UInt64;
using takt_msgs::srv::Echo;

namespace {

void count() {}

struct Giver : takt::Node {
  Giver() : Node("giver") {
    inside_ = create_publisher<Message>("inside", 1);
    outside_ = create_publisher<Message>("outside", 1);
    give_ = create_timer("give", 20ms, [this] {
      Message message;
      message.data = ++given_;
      inside_->publish(message);
      outside_->publish(message);
    });
    count_ = create_timer("count", 30ms, &count);
  }
  std::shared_ptr<takt::Publisher<Message>> inside_;
  std::shared_ptr<takt::Publisher<Message>> outside_;
  std::shared_ptr<takt::Timer> give_;
  std::shared_ptr<takt::Timer> count_;
  std::uint64_t given_ = 0;
};

struct Taker : takt::Node {
  Taker() : Node("taker") {
    triggered_ = create_subscription<Message>("inside", 1, [this](const Message &) { ++inside_; });
    read_ = create_subscription<Message>("foreign", 1, [this](const Message &) { ++foreign_; });
    use_ = create_timer("use", 25ms, {.reads = {{read_}}}, [this] {
      if (inside_ < 3 || foreign_ < 3 || asked_ < 1 || said_) return;
      said_ = true;
      say("done");
    });
    ask_ = create_service<Echo>("~/ask",
                                [this](const Echo::Request &, Echo::Response &) { ++asked_; });
  }
  std::shared_ptr<takt::Subscription<Message>> triggered_;
  std::shared_ptr<takt::Subscription<Message>> read_;
  std::shared_ptr<takt::Timer> use_;
  std::shared_ptr<takt::Service<Echo>> ask_;
  int inside_ = 0;
  int foreign_ = 0;
  int asked_ = 0;
  bool said_ = false;
};

}  // namespace

void programs::traced(int argc, char ** argv) {
  takt::init(argc, argv);
  takt::SchedulingExecutor executor({.lock_memory = false, .diagnostics = {.period = 100ms}});
  const auto giver = std::make_shared<Giver>();
  const auto taker = std::make_shared<Taker>();
  executor.add_node(giver);
  executor.add_node(taker);
  say("ready");
  executor.spin();
  takt::shutdown();
}
