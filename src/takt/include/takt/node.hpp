// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "takt/client.hpp"
#include "takt/clock.hpp"
#include "takt/logger.hpp"
#include "takt/node_base.hpp"
#include "takt/node_options.hpp"
#include "takt/parameters.hpp"
#include "takt/publisher.hpp"
#include "takt/qos.hpp"
#include "takt/service.hpp"
#include "takt/subscription.hpp"
#include "takt/timer.hpp"
#include "takt_core/tasks/callback_group.hpp"
#include "takt_core/tasks/scheduling_strategy.hpp"

namespace takt {
namespace detail {
class NodeServices;
}  // namespace detail

/// A ROS node, to be used directly or as a base class. The publishers, subscriptions, timers, services
/// and clients that it creates exist as long as their handles and may outlive the node. Thread-safe.
///
/// Functions that create something or query the ROS graph throw exceptions derived from takt::Error,
/// allocate, and take locks of the middleware. They may be called at any time and from any thread,
/// including callbacks, also while an executor spins.
///
/// If the node belongs to an executor that spins, a new callback is scheduled at once. Creating it does
/// not wait for jobs. Destroying the last handle of a callback waits for the one job of that callback
/// that may be running; afterwards, no job of it runs. Inside a callback of any executor, destroying a
/// handle does not wait.
class Node : public Parameters {
 public:
  using SharedPtr = std::shared_ptr<Node>;

  /// Throws NameError (invalid name), RclError (invalid arguments, no middleware), Error (the context is
  /// not initialised) and exceptions derived from ParameterError (parameter overrides of a wrong type).
  explicit Node(const std::string & name, const NodeOptions & options = {});
  virtual ~Node();
  Node(const Node &) = delete;
  Node & operator=(const Node &) = delete;

  /// The node's name, namespace and fully qualified name, after remapping. Any thread; allocate.
  std::string get_name() const;
  std::string get_namespace() const;
  std::string get_fully_qualified_name() const;

  /// Creates a publisher. `topic` is a relative, absolute or private ROS name and is remapped. Throws
  /// NameError, RclError.
  template <typename T>
  std::shared_ptr<Publisher<T>> create_publisher(const std::string & topic, const QoS & qos,
                                                 const PublisherOptions & options = {}) {
    return std::make_shared<Publisher<T>>(base_, topic, qos, options);
  }

  /// Creates a subscription. `callback` takes (const T &) or (std::shared_ptr<const T>), optionally
  /// followed by (const MessageInfo &); see takt::Subscription for further forms. Throws NameError,
  /// RclError, and Error for options out of range.
  template <typename T, typename F>
  std::shared_ptr<Subscription<T>> create_subscription(const std::string & topic, const QoS & qos,
                                                       F callback,
                                                       const SubscriptionOptions & options = {}) {
    return base_->add(
        std::make_shared<Subscription<T>>(base_, topic, qos, std::move(callback), options));
  }

  /// Creates a periodic callback with the identifier `node/name`. `callback` takes () or
  /// (const JobInfo &). `period` must be above 0. Throws Error for invalid options, and NameError for a
  /// name that another callback of the node has.
  template <typename F>
  std::shared_ptr<Timer> create_timer(const std::string & name, Duration period,
                                      const TimerOptions & options, F callback) {
    const auto symbol = detail::symbol_of(callback);
    return make_timer(name, period, options, detail::make_timer_function(std::move(callback)),
                      symbol, true);
  }
  template <typename F>
  std::shared_ptr<Timer> create_timer(const std::string & name, Duration period, F callback) {
    return create_timer(name, period, {}, std::move(callback));
  }
  /// The forms of rclcpp. The timer is named `timer`, `timer#2` and so on, and is released for the first
  /// time one period after its creation (TimerOptions::own_grid). create_timer() uses the node's clock,
  /// create_wall_timer() steady time. `group`: nullptr for the node's default group.
  template <typename F>
  std::shared_ptr<Timer> create_timer(Duration period, F callback,
                                      const CallbackGroup::SharedPtr & group = nullptr) {
    const auto symbol = detail::symbol_of(callback);
    return make_timer("timer", period, {.own_grid = true, .group = group, .clock = ClockType::ros},
                      detail::make_timer_function(std::move(callback)), symbol, false);
  }
  template <typename F>
  std::shared_ptr<Timer> create_wall_timer(Duration period, F callback,
                                           const CallbackGroup::SharedPtr & group = nullptr) {
    const auto symbol = detail::symbol_of(callback);
    return make_timer("timer", period, {.own_grid = true, .group = group},
                      detail::make_timer_function(std::move(callback)), symbol, false);
  }

  /// Creates a group of callbacks of this node that exclude each other (mutually exclusive) or may
  /// preempt each other (reentrant).
  CallbackGroup::SharedPtr create_callback_group(CallbackGroupType type,
                                                 const CallbackGroupOptions & options = {});

  /// Returns the name expanded and remapped. Throws NameError.
  std::string resolve_topic_name(const std::string & name) const;
  /// Return the number of publishers and subscriptions of a topic that the middleware has discovered,
  /// in all processes. `topic` is as in create_publisher().
  std::size_t count_publishers(const std::string & topic) const;
  std::size_t count_subscribers(const std::string & topic) const;

  // ---- services and clients

  /// Creates a service. For the forms of `callback` see takt::Service. Throws NameError, RclError, and
  /// Error for options out of range; so does create_client().
  template <typename S, typename F>
  std::shared_ptr<Service<S>> create_service(const std::string & name, F && callback,
                                             const ServiceOptions & options = {}) {
    return base_->add(
        std::make_shared<Service<S>>(base_, name, std::forward<F>(callback), options));
  }
  template <typename S>
  std::shared_ptr<Client<S>> create_client(const std::string & name,
                                           const ClientOptions & options = {}) {
    return base_->add(std::make_shared<Client<S>>(base_, name, options));
  }

  // ---- scheduling; takes effect only under a SchedulingExecutor

  /// Sets the scheduling strategy of the node. Several nodes may have the same strategy; it may refer only
  /// to tasks of these nodes. It is merged with the strategy of the executor; scenarios of the same name
  /// become one. The strategy is read by this call and checked when the executor begins to
  /// spin, or at once if it spins. nullptr removes the node's strategy. The parameter
  /// `scheduling_strategy`, the path of a YAML file, does the same when the node is created. Any thread;
  /// allocates. Throws Error.
  void set_scheduling_strategy(const SchedulingStrategy::SharedPtr & strategy);
  /// Requests a scenario from the node's executor; see SchedulingControls::request_scenario(). Any
  /// thread, including callbacks; neither blocks nor allocates. Throws Error for an unknown name, and if
  /// the node has no executor with scenarios.
  void request_scenario(std::string_view name);

  // ---- time and logging; any thread, including callbacks

  /// The node's ROS time clock, which follows /clock while the parameter `use_sim_time` is true.
  const Clock::SharedPtr & get_clock() const noexcept { return base_->clock(); }
  Time now() const { return base_->clock()->now(); }
  const Logger & get_logger() const noexcept { return logger_; }

  /// The part of the node that executors, publishers, subscriptions etc. share.
  const std::shared_ptr<NodeBase> & base() const noexcept { return base_; }

 private:
  std::shared_ptr<Timer> make_timer(const std::string & name, Duration period,
                                    const TimerOptions & options, Timer::Function function,
                                    const detail::CallbackSymbol & symbol, bool unique);

  NodeOptions options_;
  std::shared_ptr<NodeBase> base_;
  Logger logger_;
  std::unique_ptr<detail::NodeServices> services_;
};

}  // namespace takt
