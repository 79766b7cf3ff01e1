// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rcl/subscription.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "takt/callback.hpp"
#include "takt/event.hpp"
#include "takt/exchange.hpp"
#include "takt/message_info.hpp"
#include "takt/message_type.hpp"
#include "takt/qos.hpp"
#include "takt/tracepoints.hpp"
#include "takt_core/model/input.hpp"
#include "takt_core/os/lock.hpp"
#include "takt_core/tasks/arrivals.hpp"
#include "takt_core/tasks/source_clock.hpp"
#include "takt_core/tasks/topics.hpp"

namespace takt {

/// Options of Node::create_subscription(). Values out of range make the creation throw Error.
struct SubscriptionOptions {
  /// Priority of the subscription's jobs under the policy `fp`: 1 to 98, higher is more urgent. Default:
  /// the highest priority among the timers of the node that read the topic, else 1, the lowest.
  std::optional<int> priority = std::nullopt;
  /// The minimum inter-arrival time of releases; an earlier release is delayed. 0: none. The policy `rm`
  /// uses it as the period; if it is 0, the shortest period among the timers of the node that read the
  /// topic.
  Duration min_interval = Duration::zero();
  /// Relative deadline of a message's job, counted from the publication. The policies `dm` and `edf` rank
  /// by it, and misses are detected under every policy. 0: the shortest deadline among the timers of the
  /// node that read the topic, else no deadline. Duration::max(): no deadline in any case.
  Duration deadline = Duration::zero();
  /// CPU time that one job may use. 0: unlimited.
  Duration budget = Duration::zero();
  /// The reaction when a job has used up its budget. `background` is allowed only if no other callback
  /// is in the subscription's mutually exclusive group, or if its group is reentrant.
  OnBudget on_budget = OnBudget::report;
  /// Whether each message releases a job of the subscription. Default: true unless a timer reads the
  /// subscription; its messages are then delivered by the timer's jobs.
  std::optional<bool> triggers = std::nullopt;
  /// Whether messages published in the same context are exchanged inside the process, bypassing the
  /// middleware. Default: NodeOptions::intra_process.
  std::optional<bool> intra_process = std::nullopt;
  /// The topics on which the subscription's jobs publish; see TimerOptions::publishes.
  Topics publishes = {};
  /// The callback group. Default (nullptr): the group of the timers that read the subscription, else the
  /// node's default group.
  CallbackGroup::SharedPtr group = nullptr;
  /// The index of the executor's processor that runs the jobs; see NodeOptions::processor. Default: the
  /// processor of the group, else that of the node. A subscription that timers read runs as part of
  /// their jobs, on their processor.
  std::optional<std::size_t> processor = std::nullopt;
  /// Worst-case execution time of a job, at least 0. It is used only to place the task on a processor,
  /// together with `min_interval` or the period that the task is ranked by; it is not enforced. 0: the
  /// budget is used instead.
  Duration wcet = Duration::zero();
  SubscriptionEventCallbacks event_callbacks = {};
};

namespace detail {

/// The origin of a message; converts it to a MessageInfo only for callbacks that take one.
class Received {
 public:
  explicit Received(const InsideMessage & inside) noexcept : inside_(&inside) {}
  explicit Received(const rmw_message_info_t & outside) noexcept : outside_(&outside) {}
  MessageInfo info() const noexcept;

 private:
  const InsideMessage * inside_ = nullptr;
  const rmw_message_info_t * outside_ = nullptr;
};

using Deliver = std::function<void(const std::shared_ptr<const void> &, const Received &)>;

/// A user's callback and its symbol for ROS 2 traces.
struct Delivery {
  Deliver deliver;
  CallbackSymbol symbol;
};

}  // namespace detail

/// The part of a subscription that does not depend on the message type. Messages wait in two queues of
/// the depth that the QoS says: those from inside the process in takt's, those from outside in the
/// middleware's. They are delivered by a job, either of the subscription or of a timer that reads it.
class SubscriptionBase : public Callback {
 public:
  /// Throws NameError, RclError, Error (options out of range). Allocates, blocks.
  SubscriptionBase(std::shared_ptr<NodeBase> node, const std::string & topic, const QoS & qos,
                   const SubscriptionOptions & options, const MessageType & type,
                   detail::Delivery delivery);
  ~SubscriptionBase() override;

  // The functions below may be called from any thread, including callbacks. get_publisher_count() and
  // get_actual_qos() query the middleware, take its locks, and throw RclError.

  /// The topic name, expanded and remapped. Valid as long as the subscription exists.
  const std::string & topic() const noexcept override { return topic_; }
  const char * get_topic_name() const noexcept { return topic_.c_str(); }
  /// The number of matched publishers, inside and outside the process; 0 after shutdown.
  std::size_t get_publisher_count() const;
  /// The QoS in use; where a default was requested, with the middleware's choice.
  QoS get_actual_qos() const;
  /// The number of messages from inside the process that were removed because the queue was full or
  /// their lifespan had expired. For messages from outside see the event `message_lost`.
  std::uint64_t lost() const noexcept { return inside_.lost(); }
  /// The number of messages delivered since the subscription was created.
  std::uint64_t delivered() const noexcept { return delivered_.load(std::memory_order_relaxed); }

  /// The rcl subscription, valid as long as this object.
  rcl_subscription_t * rcl_subscription() const noexcept { return subscription_.get(); }

  // ---- for timers that read the subscription

  /// Add and remove a timer that reads the subscription. For set-up; any thread; allocate, and wait as
  /// Timer::cancel() does. add_reader() throws Error if the timer is not in the group of the
  /// subscription and of its other readers, so that their jobs could overlap.
  void add_reader(const std::shared_ptr<tasks::Callback> & reader);
  void remove_reader(const tasks::Callback & reader);
  /// Delivers the messages that are present now, from inside and outside in the order of publication, at
  /// most as many as the two queues hold. On a thread of the executor. Throws what the user's callback
  /// throws.
  void deliver_present();

  /// Makes newest() record the age of data. From then on each message from outside releases a job of the
  /// subscription that takes it, because only then its publication instant is known. For set-up; see
  /// add_reader().
  void watch_age() override;
  /// The publication instant of the newest message that has arrived, recorded only after watch_age().
  std::shared_ptr<model::Newest> newest() const override { return newest_; }

  /// Returns whether the subscription matches a publisher of its context.
  bool published_inside() const override;
  /// Returns whether each message releases a job of the subscription, from inside and from outside.
  bool triggers() const noexcept { return releases_.load(std::memory_order_relaxed); }
  const Topics * topics_published() const noexcept override {
    return triggers() ? &publishes_ : nullptr;
  }

  /// Returns the subscription's task if the tasks `readers` read its topic: priority, deadline and period
  /// that the options do not give are derived from them. Allocates.
  model::Task task_read_by(const std::vector<model::Task> & readers) const override;

  // ---- Callback

  model::Task task() const override;
  CallbackGroup::SharedPtr group() const override;
  bool is_task() const noexcept override;
  void execute(const JobInfo & job) override;
  void listen(bool on) override;
  void prepare_wait_set() override;
  WaitSetSize wait_set_size() const noexcept override;
  void add_to_wait_set(rcl_wait_set_t & set) override;
  bool is_ready(const rcl_wait_set_t & set) const noexcept override;
  void attach() override;
  void detach() override;

 private:
  void arrived_inside() noexcept;
  void arrived_outside(std::size_t count) noexcept;
  /// A message that was taken from the middleware and has not been delivered yet.
  struct OutsideMessage {
    std::shared_ptr<void> message;
    rmw_message_info_t info;
  };

  /// Delivers the waiting message that was published first; false if there is none.
  bool deliver_next();
  /// Takes a message from the middleware into held_ if that is empty.
  void hold_outside() TAKT_REQUIRES(order_mutex_);
  tasks::Taken take_outside() TAKT_REQUIRES(order_mutex_);
  /// Returns whether messages from outside, or copies that must be discarded, may be waiting.
  bool waits_outside() const noexcept {
    return holds_.load() || outside_.any() || inside_.departed() > 0;
  }
  /// Releases a job for each message that is waiting.
  void release_present() noexcept;
  bool waits_inside() const noexcept;
  bool claim_job() noexcept;
  void leave_exchange();

  bool inside_allowed_;
  std::optional<bool> triggers_;
  bool own_priority_;
  bool own_deadline_;
  CallbackGroup::SharedPtr own_group_;
  std::shared_ptr<rcl_subscription_t> subscription_;
  std::string topic_;
  executor::Entity entity_;
  std::size_t depth_;
  const model::ChannelId channel_;
  detail::Deliver deliver_;
  std::shared_ptr<MessagePool> pool_;
  Topics publishes_;
  const std::shared_ptr<model::Newest> newest_ = std::make_shared<model::Newest>();
  const std::unique_ptr<tasks::SourceClock> source_clock_;  // used after watch_age()
  InsideReader inside_;
  bool joined_ = false;

  std::atomic<bool> listening_ = false;
  std::atomic<bool> releases_ = true;
  std::atomic<bool> watched_ = false;
  tasks::Arrivals outside_;
  mutable os::PiMutex order_mutex_{os::LockRank::subscription_order};
  // The oldest message from outside, while older ones from inside are delivered before it.
  OutsideMessage held_ TAKT_GUARDED_BY(order_mutex_) = {};
  std::atomic<bool> holds_ = false;
  std::atomic<std::uint64_t> delivered_ = 0;
  mutable os::Mutex readers_mutex_{os::LockRank::subscription_readers};
  std::vector<std::weak_ptr<tasks::Callback>> readers_ TAKT_GUARDED_BY(readers_mutex_);
  std::vector<std::shared_ptr<Callback>> events_;

  std::shared_ptr<rcl_guard_condition_t> guard_;
  std::atomic<rcl_guard_condition_t *> guard_to_trigger_ = nullptr;
  std::size_t index_ = 0;
};

}  // namespace takt
