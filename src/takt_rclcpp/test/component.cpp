// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// Components for the container's tests: one counts on a topic, one has a callback that does not
// return, one stops a motor at the end, one throws, one is large.
#include <sys/mman.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <future>
#include <memory>
#include <rclcpp/rclcpp.hpp>
#include <rclcpp_components/register_node_macro.hpp>
#include <rclcpp_lifecycle/lifecycle_node.hpp>
#include <std_msgs/msg/u_int64.hpp>
#include <stdexcept>
#include <string>
#include <takt_core/os/threads.hpp>
#include <test_msgs/srv/empty.hpp>
#include <thread>
#include <vector>

namespace takt_test {

/// Publishes a count, and is busy for `busy_ms` in each callback.
class Counter : public rclcpp::Node {
 public:
  explicit Counter(const rclcpp::NodeOptions & options) : Node("counter", options) {
    check_thread();
    const std::chrono::milliseconds busy(declare_parameter("busy_ms", 0));
    publisher_ = create_publisher<std_msgs::msg::UInt64>("count", 10);
    timer_ = create_wall_timer(std::chrono::milliseconds(5), [this, busy] {
      const auto end = std::chrono::steady_clock::now() + busy;
      while (std::chrono::steady_clock::now() < end) {
      }
      ++message_.data;
      publisher_->publish(message_);
    });
  }

 private:
  /// Threads that a component starts inherit the priority and the CPU of the thread that creates
  /// it, which must have neither of its own.
  static void check_thread() {
    if (takt::os::realtime_priority(0) > 0 ||
        takt::os::pinned_cpu(0) != takt::os::pinned_cpu(getpid())) {
      throw std::runtime_error("made on a thread with a priority, or a CPU, of its own");
    }
  }

  std_msgs::msg::UInt64 message_;
  rclcpp::Publisher<std_msgs::msg::UInt64>::SharedPtr publisher_;
  rclcpp::TimerBase::SharedPtr timer_;
};

/// A callback opens and reads the named pipe `pipe`: it is stuck until somebody has opened the
/// other end and written to it or closed it. Another callback, in a group of its own, counts on
/// `~/beat`.
class Stuck : public rclcpp::Node {
 public:
  explicit Stuck(const rclcpp::NodeOptions & options) : Node("stuck", options) {
    const std::string pipe = declare_parameter("pipe", "");
    const std::chrono::milliseconds period(declare_parameter("period_ms", 50));
    reads_ = create_wall_timer(period, [this, pipe] {
      reads_->cancel();
      std::ifstream(pipe).get();
    });
    own_group_ = create_callback_group(rclcpp::CallbackGroupType::MutuallyExclusive);
    publisher_ =
        create_publisher<std_msgs::msg::UInt64>("~/beat", rclcpp::QoS(1).transient_local());
    beats_ = create_wall_timer(
        std::chrono::milliseconds(5),
        [this] {
          ++message_.data;
          publisher_->publish(message_);
        },
        own_group_);
  }

 private:
  std_msgs::msg::UInt64 message_;
  rclcpp::CallbackGroup::SharedPtr own_group_;
  rclcpp::Publisher<std_msgs::msg::UInt64>::SharedPtr publisher_;
  rclcpp::TimerBase::SharedPtr reads_;
  rclcpp::TimerBase::SharedPtr beats_;
};

/// Activates itself in its first callback, and publishes 100 in each. Its pre-shutdown callback
/// calls `brake`, publishes 2 if there is a response, and deactivates the node. Depending on the
/// parameters, the callback then waits for an hour (`hangs`) or throws (`throws`): the number 1 for
/// `number`, otherwise an exception with that text.
class Motor : public rclcpp_lifecycle::LifecycleNode {
 public:
  explicit Motor(const rclcpp::NodeOptions & options) : LifecycleNode("motor", options) {
    const bool hangs = declare_parameter("hangs", false);
    const std::string throws = declare_parameter("throws", "");
    publisher_ = create_publisher<std_msgs::msg::UInt64>("~/speed", rclcpp::QoS(10));
    brake_ = create_client<test_msgs::srv::Empty>("brake");
    timer_ = create_wall_timer(std::chrono::milliseconds(5), [this] {
      if (!publisher_->is_activated()) {
        configure();
        activate();
      }
      publish(100);
    });
    const auto context = get_node_base_interface()->get_context();
    ends_ = context->add_pre_shutdown_callback([this, hangs, throws] {
      auto braked = brake_->async_send_request(std::make_shared<test_msgs::srv::Empty::Request>());
      if (braked.wait_for(std::chrono::seconds(2)) == std::future_status::ready) publish(2);
      deactivate();
      if (hangs) std::promise<void>().get_future().wait_for(std::chrono::hours(1));
      if (throws == "number") throw 1;
      if (!throws.empty()) throw std::runtime_error(throws);
    });
  }
  ~Motor() override {
    get_node_base_interface()->get_context()->remove_pre_shutdown_callback(ends_);
  }

 private:
  void publish(std::uint64_t value) {
    std_msgs::msg::UInt64 message;
    message.data = value;
    publisher_->publish(message);
  }

  rclcpp_lifecycle::LifecyclePublisher<std_msgs::msg::UInt64>::SharedPtr publisher_;
  rclcpp::Client<test_msgs::srv::Empty>::SharedPtr brake_;
  rclcpp::TimerBase::SharedPtr timer_;
  rclcpp::PreShutdownCallbackHandle ends_;
};

/// Its callback throws, or its constructor.
class Faulty : public rclcpp::Node {
 public:
  explicit Faulty(const rclcpp::NodeOptions & options) : Node("faulty", options) {
    if (declare_parameter("in_constructor", false)) throw 1;
    const bool number = declare_parameter("number", false);
    timer_ = create_wall_timer(std::chrono::milliseconds(5), [number] {
      if (number) throw 1;
      throw std::runtime_error("a fault");
    });
  }

 private:
  rclcpp::TimerBase::SharedPtr timer_;
};

/// Maps a gibibyte of memory that nobody touches, and has forty threads that wait.
class Large : public rclcpp::Node {
 public:
  explicit Large(const rclcpp::NodeOptions & options) : Node("large", options) {
    if (memory_ == MAP_FAILED) throw std::runtime_error("no room for a gibibyte");
    for (int i = 0; i < 40; ++i) {
      threads_.emplace_back([ended = ended_] { ended.wait(); });
    }
    timer_ = create_wall_timer(std::chrono::milliseconds(5), [] {});
  }
  ~Large() override {
    end_.set_value();
    for (std::thread & thread : threads_) thread.join();
    munmap(memory_, size);
  }

 private:
  static constexpr std::size_t size = std::size_t{1} << 30;
  void * const memory_ =
      mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  std::promise<void> end_;
  const std::shared_future<void> ended_ = end_.get_future().share();
  std::vector<std::thread> threads_;
  rclcpp::TimerBase::SharedPtr timer_;
};

}  // namespace takt_test

RCLCPP_COMPONENTS_REGISTER_NODE(takt_test::Counter)
RCLCPP_COMPONENTS_REGISTER_NODE(takt_test::Stuck)
RCLCPP_COMPONENTS_REGISTER_NODE(takt_test::Motor)
RCLCPP_COMPONENTS_REGISTER_NODE(takt_test::Faulty)
RCLCPP_COMPONENTS_REGISTER_NODE(takt_test::Large)
