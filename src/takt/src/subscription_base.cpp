// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt/subscription_base.hpp"

#include <rmw/rmw.h>

#include <algorithm>
#include <utility>

#include "budget.hpp"
#include "exhausted_pool.hpp"
#include "glance.hpp"
#include "guard_condition.hpp"
#include "takt/exceptions.hpp"
#include "takt/node_base.hpp"
#include "takt_core/os/clock.hpp"
#include "takt_core/tasks/source_clock.hpp"

namespace takt {
namespace {

std::shared_ptr<rcl_subscription_t> make_subscription(const std::shared_ptr<NodeBase> & node,
                                                      const std::string & topic, const QoS & qos,
                                                      const MessageType & type) {
  rcl_subscription_options_t options = rcl_subscription_get_default_options();
  options.qos = qos.profile();
  const auto init = [&](rcl_subscription_t * subscription, const rcl_node_t * of) {
    return rcl_subscription_init(subscription, of, type.support, topic.c_str(), &options);
  };
  return node->make_entity(
      rcl_get_zero_initialized_subscription(), init, rcl_subscription_fini,
      "node '" + std::string(node->name()) + "' cannot subscribe to '" + topic + "'");
}

QoS actual_qos(const rcl_subscription_t & subscription) {
  return QoS(*rcl_subscription_get_actual_qos(&subscription));
}

/// Does what rcl_take() does, without its two debug log messages: their logger's level is looked up by
/// name, in code that is rarely in the cache.
rcl_ret_t take(const rcl_subscription_t & subscription, void * message,
               rmw_message_info_t & info) noexcept {
  const rmw_subscription_t * handle = rcl_subscription_get_rmw_handle(&subscription);
  if (handle == nullptr) return RCL_RET_SUBSCRIPTION_INVALID;
  bool taken = false;
  if (rmw_take_with_info(handle, message, &taken, &info, nullptr) != RMW_RET_OK) {
    return RCL_RET_ERROR;
  }
  TRACETOOLS_TRACEPOINT(rcl_take, message);
  return taken ? RCL_RET_OK : RCL_RET_SUBSCRIPTION_TAKE_FAILED;
}

model::Task task_of(const std::string & topic, const SubscriptionOptions & options) {
  model::Task task;
  task.id = topic;
  task.kind = TaskKind::subscription;
  task.period = options.min_interval.count();
  if (options.deadline > Duration::zero()) task.deadline = options.deadline.count();
  detail::set_budget(task, options);
  task.priority = options.priority.value_or(model::lowest_priority);
  return task;
}

}  // namespace

namespace detail {

MessageInfo Received::info() const noexcept {
  MessageInfo info;
  if (inside_ != nullptr) {
    info.published = inside_->published;
    info.source_timestamp = inside_->source_timestamp;
    info.received_timestamp = inside_->source_timestamp;
    info.publication_sequence_number = inside_->sequence;
    info.publisher_gid = inside_->gid;
    info.from_intra_process = true;
  } else {
    info.source_timestamp = outside_->source_timestamp;
    info.received_timestamp = outside_->received_timestamp;
    info.publication_sequence_number = outside_->publication_sequence_number;
    info.publisher_gid = gid_of(outside_->publisher_gid);
  }
  return info;
}

}  // namespace detail

SubscriptionBase::SubscriptionBase(std::shared_ptr<NodeBase> node, const std::string & topic,
                                   const QoS & qos, const SubscriptionOptions & options,
                                   const MessageType & type, detail::Delivery delivery)
    : Callback(std::move(node), task_of(topic, options), options.group,
               {options.processor, options.wcet}),
      inside_allowed_(options.intra_process.value_or(this->node().intra_process())),
      triggers_(options.triggers),
      own_priority_(options.priority.has_value()),
      own_deadline_(options.deadline > Duration::zero()),
      own_group_(options.group),
      subscription_(make_subscription(this->node().shared_from_this(), topic, qos, type)),
      topic_(rcl_subscription_get_topic_name(subscription_.get())),
      entity_(topic_),
      depth_(actual_qos(*subscription_).queue_depth()),
      channel_(this->node().context()->exchange().channel(topic_)),
      deliver_(std::move(delivery.deliver)),
      pool_(std::make_shared<MessagePool>(
          type, PoolRule::grow,
          detail::exhausted_pool_warning(this->node(), "subscription of '" + topic_ + "'",
                                         PoolRule::grow))),
      publishes_(options.publishes),
      source_clock_(std::make_unique<tasks::SourceClock>()),
      inside_(
          type, actual_qos(*subscription_),
          [](void * self) { static_cast<SubscriptionBase *>(self)->arrived_inside(); }, this),
      releases_(options.triggers.value_or(true)),
      events_(detail::make_events(this->node().shared_from_this(), subscription_,
                                  options.event_callbacks, options.group)) {
  // Of messages from outside, one is being processed by the callback and one is in held_. If the callback
  // keeps messages, the pool grows.
  pool_->reserve(2);
  // Every waiting message, in the two queues and in held_, must be able to release a job.
  task_.queue =
      static_cast<std::uint32_t>(std::min<std::size_t>(2 * depth_ + 1, model::longest_queue));
  TRACETOOLS_TRACEPOINT(rclcpp_subscription_init, static_cast<const void *>(subscription_.get()),
                        static_cast<const void *>(this));
  TRACETOOLS_TRACEPOINT(rclcpp_subscription_callback_added, static_cast<const void *>(this),
                        static_cast<const void *>(&deliver_));
  detail::trace_callback(&deliver_, delivery.symbol);
}

void SubscriptionBase::attach() {
  if (!inside_allowed_) return;
  node().context()->exchange().join(topic_, inside_);
  joined_ = true;
}

SubscriptionBase::~SubscriptionBase() {
  leave_exchange();
}

void SubscriptionBase::detach() {
  Callback::detach();
  leave_exchange();
  listen(false);
  events_.clear();
}

void SubscriptionBase::leave_exchange() {
  if (std::exchange(joined_, false)) node().context()->exchange().leave(topic_, inside_);
}

std::size_t SubscriptionBase::get_publisher_count() const {
  std::size_t count = 0;
  if (!node().context()->is_valid()) return count;
  detail::check(rcl_subscription_get_publisher_count(subscription_.get(), &count),
                "cannot count the publishers of '" + topic_ + "'");
  return count;
}

QoS SubscriptionBase::get_actual_qos() const {
  return actual_qos(*subscription_);
}

// ---- readers ------------------------------------------------------------------------------------

void SubscriptionBase::add_reader(const std::shared_ptr<tasks::Callback> & reader) {
  const CallbackGroup::SharedPtr theirs = reader->group();
  const auto refuse = [&](const char * whose) {
    throw Error("timer '" + reader->id() + "' cannot read '" + id() +
                "': its group is not that of " + whose +
                ", so they could run at the same time; put them into one group");
  };
  if (own_group_ != nullptr && own_group_ != theirs) refuse("the subscription");
  {
    const os::Lock lock(readers_mutex_);
    for (const auto & weak : readers_) {
      const auto other = weak.lock();
      if (other != nullptr && other->group() != theirs) refuse("another timer that reads it");
    }
    readers_.push_back(reader);
    if (!triggers_.has_value()) releases_.store(false, std::memory_order_relaxed);
  }
  changed();
}

void SubscriptionBase::remove_reader(const tasks::Callback & reader) {
  const bool triggered = triggers();
  {
    const os::Lock lock(readers_mutex_);
    std::erase_if(readers_, [&reader](const auto & weak) {
      const auto other = weak.lock();
      return other == nullptr || other.get() == &reader;
    });
    if (!triggers_.has_value() && readers_.empty())
      releases_.store(true, std::memory_order_relaxed);
  }
  // Release jobs for the messages that the timer would have read.
  if (!triggered && triggers()) release_present();
  changed();
}

void SubscriptionBase::release_present() noexcept {
  const std::size_t there = inside_.size() + (holds_.load() ? 1 : 0) + outside_.jobs();
  if (there > 0) released(std::min<std::size_t>(there, std::size_t{task_.queue} + 1));
}

CallbackGroup::SharedPtr SubscriptionBase::group() const {
  if (own_group_ != nullptr) return own_group_;
  const os::Lock lock(readers_mutex_);
  for (const auto & weak : readers_) {
    if (const auto reader = weak.lock()) return reader->group();
  }
  return Callback::group();
}

bool SubscriptionBase::is_task() const noexcept {
  return triggers() || watched_.load(std::memory_order_relaxed);
}

bool SubscriptionBase::published_inside() const {
  return node().context()->exchange().writers_of(topic_, inside_) > 0;
}

void SubscriptionBase::watch_age() {
  if (watched_.exchange(true)) return;
  inside_.watch(newest_);
  changed();
}

model::Task SubscriptionBase::task_read_by(const std::vector<model::Task> & readers) const {
  return tasks::read_by(task_, readers, own_priority_, own_deadline_);
}

model::Task SubscriptionBase::task() const {
  std::vector<model::Task> readers;
  for (const auto & callback : node().callbacks()) {
    if (callback->reads(topic_)) readers.push_back(callback->task());
  }
  return task_read_by(readers);
}

// ---- messages -----------------------------------------------------------------------------------

void SubscriptionBase::arrived_inside() noexcept {
  if (triggers()) released();
  if (auto * guard = guard_to_trigger_.load(std::memory_order_acquire)) {
    detail::trigger(*guard);
  }
}

void SubscriptionBase::arrived_outside(std::size_t count) noexcept {
  if (watched_.load(std::memory_order_relaxed)) source_clock_->look(tasks::read_clocks());
  outside_.announce(count);
  // 0 means an unknown number: rmw_cyclonedds reports it if the history is KEEP_ALL.
  if (is_task()) released(std::max<std::size_t>(count, 1));
}

void SubscriptionBase::deliver_present() {
  // Messages that arrive from now on are left to the next job.
  std::size_t present = inside_.size();
  if (waits_outside()) {
    const std::size_t announced = outside_.waiting() + (holds_.load() ? 1 : 0);
    // The number of messages that were not announced is not known.
    const bool looks = outside_.looks();
    {
      const os::Lock lock(order_mutex_);
      hold_outside();
    }
    present += looks ? depth_ + 1 : std::min(depth_ + 1, announced);
  }
  for (; present > 0 && deliver_next(); --present) {
  }
}

bool SubscriptionBase::deliver_next() {
  InsideMessage inside;
  OutsideMessage outside;
  const bool listening = listening_.load(std::memory_order_relaxed);
  model::Time now = 0;
  if (listening && !waits_outside()) {
    now = os::now();
    if (!inside_.pop(inside, now)) return false;
  } else {
    const os::Lock lock(order_mutex_);
    // A wait set does not report the number of messages, but reports again those that are left.
    if (listening || inside_.size() == 0) hold_outside();
    const bool held = held_.message != nullptr;
    const std::int64_t until = held ? held_.info.source_timestamp : model::never;
    now = os::now();
    if (!inside_.pop(inside, now, until)) {
      if (!held) return false;
      outside = std::exchange(held_, {});
      holds_.store(false);
    }
  }
  delivered_.fetch_add(1, std::memory_order_relaxed);
  if (trace::Ring * ring = executor::Processor::trace(); ring != nullptr) {
    const bool from_inside = inside.message != nullptr;
    ring->push({.at = now,
                .index = from_inside ? inside.sequence : outside.info.publication_sequence_number,
                .value = from_inside ? inside.published : outside.info.source_timestamp,
                .task = channel_,
                .kind = trace::Kind::delivery,
                .flags = from_inside ? std::uint8_t{0} : trace::flags::outside});
  }
  const detail::TracedCall call(&deliver_, inside.message != nullptr);
  if (inside.message != nullptr) {
    deliver_(inside.message, detail::Received(inside));
  } else {
    deliver_(outside.message, detail::Received(outside.info));
    if (watched_.load(std::memory_order_relaxed)) {
      newest_->published(
          source_clock_->published(outside.info.source_timestamp, tasks::read_clocks()));
    }
  }
  return true;
}

void SubscriptionBase::hold_outside() {
  if (held_.message != nullptr) return;
  // A wait set does not report the number of messages, but reports again those that are left. And copies
  // of messages of destroyed publishers must be recognised until the queue has been seen empty.
  if (!listening_.load(std::memory_order_relaxed) || inside_.departed() > 0) outside_.look();
  // Without analysis, because the function is called immediately, with the lock held.
  outside_.take(1, [this]() TAKT_NO_THREAD_SAFETY_ANALYSIS { return take_outside(); });
}

tasks::Taken SubscriptionBase::take_outside() {
  const std::size_t departed = inside_.departed();
  OutsideMessage taken{pool_->take(), rmw_get_zero_initialized_message_info()};
  rcl_ret_t code = RCL_RET_OK;
  {
    const executor::Processor::Section section(entity_);
    code = take(*subscription_, taken.message.get(), taken.info);
    TRACETOOLS_TRACEPOINT(rclcpp_take, static_cast<const void *>(taken.message.get()));
  }
  if (code == RCL_RET_SUBSCRIPTION_TAKE_FAILED) {
    inside_.forget_departed(departed);
    return tasks::Taken::none;
  }
  if (code != RCL_RET_OK) {
    detail::take_rcl_error();
    return tasks::Taken::failed;
  }
  if (inside_allowed_ && inside_.knows_publisher(detail::gid_of(taken.info.publisher_gid))) {
    return tasks::Taken::other;
  }
  held_ = std::move(taken);
  holds_.store(true);
  return tasks::Taken::one;
}

void SubscriptionBase::execute(const JobInfo &) {
  struct More {
    SubscriptionBase & self;
    ~More() {
      if (self.claim_job()) self.released();
    }
  } const more{*this};
  // One message per job. A release may come without a message, because the middleware also announces
  // copies of messages from inside. A subscription whose jobs only record the age of data (watch_age)
  // takes all messages.
  if (triggers() || !listening_.load(std::memory_order_relaxed)) {
    deliver_next();
  } else {
    deliver_present();
  }
}

bool SubscriptionBase::claim_job() noexcept {
  if (!outside_.any() || !triggers() || !listening_.load(std::memory_order_relaxed)) return false;
  const os::Lock lock(order_mutex_);
  // The jobs for messages from inside and outside share one queue.
  const std::size_t others = inside_.size() + (holds_.load() ? 1 : 0);
  return outside_.claim_job(task_.queue - std::min<std::size_t>(task_.queue, others));
}

void SubscriptionBase::listen(bool on) {
  const auto arrived = [](const void * self, std::size_t count) {
    static_cast<SubscriptionBase *>(const_cast<void *>(self))->arrived_outside(count);
  };
  listening_.store(on, std::memory_order_relaxed);
  const rcl_ret_t code = rcl_subscription_set_on_new_message_callback(
      subscription_.get(), on ? +arrived : nullptr, on ? this : nullptr);
  if (!on) {
    if (code != RCL_RET_OK) detail::take_rcl_error();
    return;
  }
  detail::check(code, "cannot receive notifications of '" + id() + "'");
  if (detail::has_waiting_item(*this)) arrived_outside(0);
}

// ---- wait set -----------------------------------------------------------------------------------

void SubscriptionBase::prepare_wait_set() {
  if (!inside_allowed_ || guard_ != nullptr) return;
  guard_ = detail::make_guard_condition(node().context());
  guard_to_trigger_.store(guard_.get(), std::memory_order_release);
}

WaitSetSize SubscriptionBase::wait_set_size() const noexcept {
  return {.subscriptions = 1, .guard_conditions = guard_ != nullptr ? std::size_t{1} : 0};
}

void SubscriptionBase::add_to_wait_set(rcl_wait_set_t & set) {
  detail::check(rcl_wait_set_add_subscription(&set, subscription_.get(), &index_),
                "cannot wait for '" + id() + "'");
  if (guard_ == nullptr) return;
  detail::check(rcl_wait_set_add_guard_condition(&set, guard_.get(), nullptr),
                "cannot wait for '" + id() + "'");
  // Triggered again for messages that are left, because two triggers make a guard condition ready once.
  if (waits_inside()) detail::trigger(*guard_);
}

bool SubscriptionBase::is_ready(const rcl_wait_set_t & set) const noexcept {
  return set.subscriptions[index_] != nullptr || waits_inside();
}

bool SubscriptionBase::waits_inside() const noexcept {
  if (inside_.size() > 0) return true;
  const os::Lock lock(order_mutex_);
  return held_.message != nullptr;
}

}  // namespace takt
