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

struct SubscriptionOptions {
  /// 1 to 98, higher is more urgent; for `fp`. Default: the highest among the timers of the node
  /// that read the topic, else the lowest.
  std::optional<int> priority = std::nullopt;
  /// The least time between two releases; an earlier one is put off. 0: none. It is the period that
  /// `rm` ranks by; with none that is the shortest among the timers of the node that read the
  /// topic.
  Duration min_interval = Duration::zero();
  /// Relative deadline of a message's job, from its publication; for `dm` and `edf`, and watched
  /// under every policy. 0: the shortest among the timers of the node that read the topic, else
  /// none. Duration::max(): none, whoever reads it.
  Duration deadline = Duration::zero();
  /// CPU time that a job may use; 0: as much as it needs.
  Duration budget = Duration::zero();
  /// What becomes of a job that has used it up. `background` only in a group of its own or a
  /// reentrant one.
  OnBudget on_budget = OnBudget::report;
  /// Whether a message releases a job of its own. Default: unless a timer reads the subscription.
  std::optional<bool> triggers = std::nullopt;
  /// Whether messages published in this context come without the middleware. Default: the node's
  /// choice.
  std::optional<bool> intra_process = std::nullopt;
  /// The topics on which its jobs publish; see TimerOptions::publishes.
  Topics publishes = {};
  /// Default: that of the timers that read it, else the node's.
  CallbackGroup::SharedPtr group = nullptr;
  /// Which of its executor's processors it runs on, as NodeOptions::processor. Default: its
  /// group's, else the node's. Read by timers, it runs as part of their jobs, where they are.
  std::optional<std::size_t> processor = std::nullopt;
  /// The longest that a job takes of its CPU, at least 0: for the choice of a processor, by the
  /// least interval or the period that it is ranked by. Nothing enforces it. 0: its budget.
  Duration wcet = Duration::zero();
  SubscriptionEventCallbacks event_callbacks = {};
};

namespace detail {

/// Where a message came from; makes its MessageInfo only for those who want it.
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

/// A user's callback, and what it is called.
struct Delivery {
  Deliver deliver;
  CallbackSymbol symbol;
};

}  // namespace detail

/// The part of a subscription that does not depend on the type of its messages. A message waits in
/// a queue of the QoS's depth, inside the process in takt's, from outside in the middleware's, and
/// is delivered by a job: the subscription's own, or that of a timer that reads it.
class SubscriptionBase : public Callback {
 public:
  /// Throws NameError, RclError, Error (options out of range). Allocates, blocks.
  SubscriptionBase(std::shared_ptr<NodeBase> node, const std::string & topic, const QoS & qos,
                   const SubscriptionOptions & options, const MessageType & type,
                   detail::Delivery delivery);
  ~SubscriptionBase() override;

  // Any thread, while spinning too. Counts of the graph and the QoS are asked of the middleware,
  // take its locks, and throw RclError.

  /// Resolved. Valid as long as the subscription.
  const std::string & topic() const noexcept override { return topic_; }
  const char * get_topic_name() const noexcept { return topic_.c_str(); }
  /// Matched publishers, inside and outside the process; 0 after shutdown.
  std::size_t get_publisher_count() const;
  /// With the middleware's choice where the default was asked for.
  QoS get_actual_qos() const;
  /// Messages from inside that had to go because the queue was full or their lifespan over. For
  /// those from outside see the event `message_lost`.
  std::uint64_t lost() const noexcept { return inside_.lost(); }
  /// Messages delivered since the start.
  std::uint64_t delivered() const noexcept { return delivered_.load(std::memory_order_relaxed); }

  rcl_subscription_t * rcl_subscription() const noexcept { return subscription_.get(); }

  // ---- for timers that read it

  /// Set-up, any thread: allocates, and waits as Timer::cancel does. Throws Error if the groups of
  /// the readers and of the subscription exclude nothing between them.
  void add_reader(const std::shared_ptr<tasks::Callback> & reader);
  void remove_reader(const tasks::Callback & reader);
  /// Delivers the messages present now, from inside and outside in order of publication: at most as
  /// many as the two queues hold. On an executor's thread. Throws what the user's callback throws.
  void deliver_present();

  /// From now on newest() is told. Messages from outside release a job of its own then, which takes
  /// them: only so it is known when they were published. Set-up, any thread, as add_reader.
  void watch_age() override;
  /// When the newest message that has arrived was published; kept only if the age is watched.
  std::shared_ptr<model::Newest> newest() const override { return newest_; }

  /// Whether a publisher of this context matches it.
  bool published_inside() const override;
  /// Whether a message releases a job of its own, wherever it comes from.
  bool triggers() const noexcept { return releases_.load(std::memory_order_relaxed); }
  const Topics * topics_published() const noexcept override {
    return triggers() ? &publishes_ : nullptr;
  }

  /// What it is if these tasks read its topic: it takes from them what it was not given. Allocates.
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
  /// Taken from the middleware and not delivered yet.
  struct OutsideMessage {
    std::shared_ptr<void> message;
    rmw_message_info_t info;
  };

  /// The message published first among those that wait; false if there is none.
  bool deliver_next();
  /// Takes one from the middleware if none is held.
  void hold_outside() TAKT_REQUIRES(order_mutex_);
  tasks::Taken take_outside() TAKT_REQUIRES(order_mutex_);
  /// Something may be there from outside, or is to be looked for.
  bool waits_outside() const noexcept {
    return holds_.load() || outside_.any() || inside_.departed() > 0;
  }
  /// A job for each message that is there.
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
  const std::unique_ptr<tasks::SourceClock> source_clock_;  // used if the age is watched
  InsideReader inside_;
  bool joined_ = false;

  std::atomic<bool> listening_ = false;
  std::atomic<bool> releases_ = true;
  std::atomic<bool> watched_ = false;
  tasks::Arrivals outside_;
  mutable os::PiMutex order_mutex_{os::LockRank::subscription_order};
  // The oldest from outside, while one from inside goes before it.
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
