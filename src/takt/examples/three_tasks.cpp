// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// The three-task application of Krukiewicz-Gacek's thesis (TU Delft, 2021), figures 2.4 and 2.5:
// task 1 produces a sensor reading, task 2 sends telemetry, task 3 computes with the reading of task 1.
// All have the same period and are created in the order 1, 2, 3; task 3 is more urgent than task 2.
//
// The stock executor runs all timers of a snapshot first and the subscription that would deliver the
// reading last, so task 3 uses the reading of the period before. Under takt, task 3 runs before
// task 2, and its input is delivered as part of its job.
//
//   three_tasks stock
//   three_tasks takt

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <std_msgs/msg/u_int64.hpp>
#include <string>
#include <takt/takt.hpp>

using namespace std::chrono_literals;
using Reading = std_msgs::msg::UInt64;

namespace {

constexpr std::uint64_t periods = 20;
constexpr auto period = 20ms;

/// Records what the tasks did; prints a row for each period.
struct Log {
  std::string order;
  std::uint64_t produced = 0;
  std::uint64_t used = 0;
  std::uint64_t rows = 0;
  std::uint64_t stale = 0;

  void ran(int task) { order += (order.empty() ? "" : " ") + std::to_string(task); }

  /// Records that task 3 used a reading; it is stale if task 1 has produced a newer one.
  void uses(std::uint64_t reading) {
    used = reading;
    stale += reading < produced ? 1 : 0;
  }

  void print_row() {
    if (order.empty()) return;
    std::printf("order %s   task 1 produced %2llu, task 3 used %2llu%s\n", order.c_str(),
                static_cast<unsigned long long>(produced), static_cast<unsigned long long>(used),
                used < produced ? "   <- stale" : "");
    order.clear();
    ++rows;
  }
};

void work(std::chrono::microseconds amount) {
  const auto end = std::chrono::steady_clock::now() + amount;
  while (std::chrono::steady_clock::now() < end) {
  }
}

struct Task1 : takt::Node {
  Task1(Log & log, const std::function<void()> & done) : Node("task1") {
    publisher_ = create_publisher<Reading>("reading", takt::QoS(1));
    timer_ = create_timer("produce", period, {.priority = 98}, [this, &log, done] {
      log.print_row();
      if (log.rows == periods) return done();
      log.ran(1);
      work(1ms);
      auto reading = std::make_unique<Reading>();
      reading->data = ++log.produced;
      publisher_->publish(std::move(reading));
    });
  }
  std::shared_ptr<takt::Publisher<Reading>> publisher_;
  std::shared_ptr<takt::Timer> timer_;
};

struct Task2 : takt::Node {
  explicit Task2(Log & log) : Node("task2") {
    timer_ = create_timer("telemetry", period, {.priority = 96}, [&log] {
      log.ran(2);
      work(2ms);
    });
  }
  std::shared_ptr<takt::Timer> timer_;
};

struct Task3 : takt::Node {
  explicit Task3(Log & log) : Node("task3") {
    subscription_ = create_subscription<Reading>(
        "reading", takt::QoS(1), [this](const Reading & reading) { latest_ = reading.data; });
    timer_ =
        create_timer("compute", period, {.priority = 97, .reads = {{subscription_}}}, [this, &log] {
          log.ran(3);
          log.uses(latest_);
          work(1ms);
        });
  }
  std::shared_ptr<takt::Subscription<Reading>> subscription_;
  std::shared_ptr<takt::Timer> timer_;
  std::uint64_t latest_ = 0;
};

template <typename Executor>
void run(Executor & executor) {
  Log log;
  auto task1 = std::make_shared<Task1>(log, [&executor] { executor.cancel(); });
  auto task2 = std::make_shared<Task2>(log);
  auto task3 = std::make_shared<Task3>(log);
  executor.add_node(task1);
  executor.add_node(task2);
  executor.add_node(task3);
  executor.spin();
  std::printf("task 3 used old data in %llu of %llu jobs\n",
              static_cast<unsigned long long>(log.stale),
              static_cast<unsigned long long>(log.rows));
}

}  // namespace

int main(int argc, char ** argv) {
  takt::init(argc, argv);
  const auto arguments = takt::remove_ros_arguments(argc, argv);
  const std::string which = arguments.size() > 1 ? arguments[1] : "takt";
  if (which == "stock") {
    takt::StockExecutor executor;
    run(executor);
  } else if (which == "takt") {
    takt::SchedulingExecutor executor({.policy = "fp"});
    run(executor);
  } else {
    std::fprintf(stderr, "three_tasks: unknown executor '%s': use stock or takt\n", which.c_str());
    return 2;
  }
  takt::shutdown();
}
