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

/// A ROS node. Made by itself or derived from; what it creates lives as long as its handles and may
/// outlive the node. Thread-safe.
///
/// What creates or asks the graph throws takt::Error's family, allocates and takes the middleware's
/// locks. It may be called at any time, while spinning and in callbacks too. What an executor runs
/// is a task at once; from a thread outside of callbacks, creating and destroying such a thing
/// waits until no job of the executor is started, and after destroying no job of it runs. From
/// inside a callback, of whichever executor, neither waits.
class Node : public Parameters {
 public:
  using SharedPtr = std::shared_ptr<Node>;

  /// Throws NameError; RclError (bad arguments, no middleware); Error if the context is not
  /// initialised; ParameterError's family for overrides of the wrong type.
  explicit Node(const std::string & name, const NodeOptions & options = {});
  virtual ~Node();
  Node(const Node &) = delete;
  Node & operator=(const Node &) = delete;

  std::string get_name() const;
  std::string get_namespace() const;
  std::string get_fully_qualified_name() const;

  /// `topic` as in ROS: relative, absolute or private; remapped. Throws NameError, RclError.
  template <typename T>
  std::shared_ptr<Publisher<T>> create_publisher(const std::string & topic, const QoS & qos,
                                                 const PublisherOptions & options = {}) {
    return std::make_shared<Publisher<T>>(base_, topic, qos, options);
  }

  /// `callback` takes (const T &) or (std::shared_ptr<const T>), and a (const MessageInfo &) after
  /// it if it likes. Throws NameError, RclError.
  template <typename T, typename F>
  std::shared_ptr<Subscription<T>> create_subscription(const std::string & topic, const QoS & qos,
                                                       F callback,
                                                       const SubscriptionOptions & options = {}) {
    return base_->add(
        std::make_shared<Subscription<T>>(base_, topic, qos, std::move(callback), options));
  }

  /// A periodic callback, identified as `node/name`. `callback` takes () or (const JobInfo &).
  /// Throws Error for options that make no sense or a name that is taken.
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
  /// As in rclcpp: without a name of its own (`timer`, `timer#2` ...), called for the first time one
  /// period after it was made (TimerOptions::own_grid), on the node's clock or the steady one.
  /// `group`: nullptr for the node's.
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

  /// Its callbacks exclude each other, or may preempt each other.
  CallbackGroup::SharedPtr create_callback_group(CallbackGroupType type,
                                                 const CallbackGroupOptions & options = {});

  /// Expanded and remapped. Throws NameError.
  std::string resolve_topic_name(const std::string & name) const;
  /// Known to the middleware, in every process. `topic` as in create_publisher.
  std::size_t count_publishers(const std::string & topic) const;
  std::size_t count_subscribers(const std::string & topic) const;

  // ---- services and clients

  /// `callback`: see takt::Service.
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

  // ---- scheduling; see SchedulingExecutor, which alone heeds it

  /// The node's strategy, or a part of one that it shares with other nodes or its executor: it
  /// names tasks of the nodes that have it. It adds to the executor's; scenarios of one name are
  /// one. Read now, checked when its executor begins to spin, at once if that spins. nullptr: none.
  /// Also the parameter `scheduling_strategy` at the start: a YAML file. Throws Error.
  void set_scheduling_strategy(const SchedulingStrategy::SharedPtr & strategy);
  /// Asks the node's executor for a scenario; any thread, callbacks too; neither waits nor
  /// allocates. Throws Error for an unknown name, and without an executor that has scenarios.
  void request_scenario(std::string_view name);

  // ---- time and log: any thread, also in callbacks

  /// Of ROS time: follows /clock while the parameter `use_sim_time` is true.
  const Clock::SharedPtr & get_clock() const noexcept { return base_->clock(); }
  Time now() const { return base_->clock()->now(); }
  const Logger & get_logger() const noexcept { return logger_; }

  /// The inner part, for executors and entities.
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
