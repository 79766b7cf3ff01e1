// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// A talker, a listener that takes long, a plant and the loop that controls it: nodes of rclcpp that
// know nothing of takt. For some seconds under rclcpp's executor, then under takt's with a strategy
// file. Told is how late the control loop was, and how often it used an old state.
//
//     priorities FILE [SECONDS [TRACE]]      TRACE: a file for `takt trace plot`

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <rclcpp/rclcpp.hpp>
#include <std_msgs/msg/float64.hpp>
#include <std_msgs/msg/string.hpp>
#include <string>
#include <takt_rclcpp/scheduling_executor.hpp>
#include <thread>
#include <utility>
#include <vector>

namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using std_msgs::msg::Float64;
using std_msgs::msg::String;

void work(std::chrono::nanoseconds length) {
  for (const auto end = Clock::now() + length; Clock::now() < end;) continue;
}

class Talker : public rclcpp::Node {
 public:
  Talker() : Node("talker") {
    publisher_ = create_publisher<String>("chatter", 10);
    timer_ = create_wall_timer(100ms, [this] {
      String message;
      message.data = "hello " + std::to_string(++count_);
      publisher_->publish(message);
    });
  }

 private:
  int count_ = 0;
  rclcpp::Publisher<String>::SharedPtr publisher_;
  rclcpp::TimerBase::SharedPtr timer_;
};

/// Takes 8 ms for each message.
class Listener : public rclcpp::Node {
 public:
  Listener() : Node("listener") {
    subscription_ = create_subscription<String>("chatter", 10, [](const String &) { work(8ms); });
  }

 private:
  rclcpp::Subscription<String>::SharedPtr subscription_;
};

/// Tells its state every 5 ms.
class Plant : public rclcpp::Node {
 public:
  Plant() : Node("plant") {
    publisher_ = create_publisher<Float64>("state", 1);
    timer_ = create_wall_timer(5ms, [this] {
      Float64 state;
      state.data = static_cast<double>(told + 1);
      publisher_->publish(state);
      told.fetch_add(1);
    });
  }

  /// How many states it has published: what a test bench knows, and the nodes do not.
  inline static std::atomic<std::int64_t> told = 0;

 private:
  rclcpp::Publisher<Float64>::SharedPtr publisher_;
  rclcpp::TimerBase::SharedPtr timer_;
};

/// 1 ms of work every 5 ms, on the newest state.
class Controller : public rclcpp::Node {
 public:
  Controller() : Node("controller") {
    state_ = create_subscription<Float64>("state", 1, [this](const Float64 & m) { latest_ = m; });
    command_ = create_publisher<Float64>("command", 1);
    timer_ = create_wall_timer(5ms, [this](const rclcpp::TimerInfo & info) {
      if (latest_.data < static_cast<double>(Plant::told)) ++old_;
      work(1ms);
      Float64 command;
      command.data = -latest_.data;
      command_->publish(command);
      // The first was due before anything ran.
      if (!std::exchange(running_, true)) return;
      const std::chrono::nanoseconds now = Clock::now().time_since_epoch();
      took_.push_back(now.count() - info.expected_call_time.nanoseconds());
    });
  }

  /// From when it was due until it had ended.
  void tell(const char * who) {
    if (took_.empty()) return;
    const auto late =
        std::count_if(took_.begin(), took_.end(), [](auto took) { return took > 5'000'000; });
    const double longest = static_cast<double>(*std::max_element(took_.begin(), took_.end())) / 1e6;
    std::printf(
        "%s: %zu cycles of the control loop, %zd late, the longest %.1f ms after it was due; "
        "%zu on an old state\n",
        who, took_.size(), static_cast<std::ptrdiff_t>(late), longest, old_);
  }

 private:
  Float64 latest_;
  bool running_ = false;
  std::size_t old_ = 0;
  std::vector<std::int64_t> took_;
  rclcpp::Subscription<Float64>::SharedPtr state_;
  rclcpp::Publisher<Float64>::SharedPtr command_;
  rclcpp::TimerBase::SharedPtr timer_;
};

/// The same nodes under whichever executor.
void run(const char * who, rclcpp::Executor & executor, std::chrono::seconds length,
         const std::function<void()> & set_up) {
  const auto talker = std::make_shared<Talker>();
  const auto listener = std::make_shared<Listener>();
  Plant::told = 0;
  const auto plant = std::make_shared<Plant>();
  const auto controller = std::make_shared<Controller>();
  for (const rclcpp::Node::SharedPtr & node :
       std::vector<rclcpp::Node::SharedPtr>{talker, listener, plant, controller}) {
    executor.add_node(node);
  }
  set_up();
  std::thread spinner([&executor] { executor.spin(); });
  std::this_thread::sleep_for(length);
  executor.cancel();
  spinner.join();
  controller->tell(who);
}

}  // namespace

int main(int argc, char ** argv) {
  const std::vector<std::string> arguments = rclcpp::init_and_remove_ros_arguments(argc, argv);
  if (arguments.size() < 2) {
    std::fprintf(stderr, "usage: priorities FILE [SECONDS [TRACE]]\n");
    return 2;
  }
  try {
    const std::chrono::seconds length(arguments.size() > 2 ? std::stoi(arguments[2]) : 5);
    {
      rclcpp::executors::SingleThreadedExecutor executor;
      run("rclcpp", executor, length, [] {});
    }
    {
      takt::rclcpp::SchedulingExecutor executor({
          .policy = "fp",
          .trace = {.file = arguments.size() > 3 ? arguments[3] : ""},
      });
      run("takt", executor, length, [&] { executor.load_strategy(arguments[1]); });
    }
  } catch (const std::exception & error) {
    std::fprintf(stderr, "priorities: %s\n", error.what());
    return 1;
  }
  rclcpp::shutdown();
}
