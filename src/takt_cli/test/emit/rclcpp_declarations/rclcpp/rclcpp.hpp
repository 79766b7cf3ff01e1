// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// What emitted packages use of rclcpp, declared as rclcpp declares it, for hosts that do not have it:
// enough to compile with, nothing to run.
#pragma once

#include <rcl/timer.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>

namespace rclcpp {

class QoS {
 public:
  QoS(std::size_t depth);
  QoS & reliable();
  QoS & best_effort();
};

class Time {
 public:
  std::int64_t nanoseconds() const;
};

struct TimerInfo {
  Time expected_call_time;
  Time actual_call_time;
};

class TimerBase {
 public:
  using SharedPtr = std::shared_ptr<TimerBase>;
  std::shared_ptr<const rcl_timer_t> get_timer_handle();
  void reset();
};

enum class CallbackGroupType { MutuallyExclusive, Reentrant };

class CallbackGroup {
 public:
  using SharedPtr = std::shared_ptr<CallbackGroup>;
};

struct SubscriptionOptions {
  CallbackGroup::SharedPtr callback_group;
};

template <typename T>
class Subscription {
 public:
  using SharedPtr = std::shared_ptr<Subscription>;
};

template <typename T>
class Publisher {
 public:
  using SharedPtr = std::shared_ptr<Publisher>;
  void publish(std::unique_ptr<T> message);
  void publish(const T & message);
};

class NodeOptions {
 public:
  NodeOptions & use_intra_process_comms(bool use);
};

class Node : public std::enable_shared_from_this<Node> {
 public:
  explicit Node(const std::string & name, const NodeOptions & options = NodeOptions());
  virtual ~Node();
  const char * get_name() const;
  Time now() const;
  CallbackGroup::SharedPtr create_callback_group(CallbackGroupType type, bool automatic = true);

  template <typename T>
  typename Publisher<T>::SharedPtr create_publisher(const std::string & topic, const QoS & qos);

  template <typename T, typename F>
  typename Subscription<T>::SharedPtr create_subscription(const std::string &, const QoS &, F &&,
                                                          const SubscriptionOptions & = {}) {
    static_assert(std::is_invocable_v<F, const T &>);
    return nullptr;
  }

  template <typename R, typename P, typename F>
  TimerBase::SharedPtr create_wall_timer(std::chrono::duration<R, P>, F,
                                         CallbackGroup::SharedPtr = nullptr, bool = true) {
    static_assert(std::is_invocable_v<F, const TimerInfo &>);
    return nullptr;
  }
};

namespace executors {

class SingleThreadedExecutor {
 public:
  SingleThreadedExecutor();
  void add_node(std::shared_ptr<Node> node, bool notify = true);
  void spin();
};

}  // namespace executors

namespace exceptions {

[[noreturn]] void throw_from_rcl_error(rcl_ret_t code, const std::string & prefix);

}  // namespace exceptions

void init(int argc, char const * const * argv);
bool shutdown();

}  // namespace rclcpp
