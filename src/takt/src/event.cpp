// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt/event.hpp"

#include <rmw/qos_string_conversions.h>

#include <atomic>
#include <optional>
#include <string>
#include <utility>

#include "glance.hpp"
#include "guard_condition.hpp"
#include "takt/exceptions.hpp"
#include "takt/logging.hpp"
#include "takt/node_base.hpp"
#include "takt_core/os/lock.hpp"
#include "takt_core/tasks/event_announcements.hpp"
#include "takt_core/tasks/event_news.hpp"

namespace takt {
namespace {

/// A QoS event of a publisher or subscription, which it keeps alive.
///
/// rmw_fastrtps takes its own lock and then that of the writer or reader in two places: while the notification function
/// is set, and while an event is taken that was not announced. When a deadline is missed it takes them in the opposite
/// order, so both could deadlock at any time after the first publication. Therefore the notification function is set
/// once, in the constructor, before events can occur, and an event is taken only after an announcement. This holds for
/// executors with a wait set, too: they wait for a guard condition instead of the event, whose status stays set after it
/// was taken.
template <typename Info>
class EventCallback : public Callback {
 public:
  template <typename Init>
  EventCallback(const std::shared_ptr<NodeBase> & node, std::shared_ptr<const void> parent,
                const std::string & name, std::function<void(Info &)> function,
                const CallbackGroup::SharedPtr & group, const Init & init)
      : Callback(node, {.id = name, .kind = TaskKind::other, .queue = 1}, group),
        parent_(std::move(parent)),
        entity_(name),
        event_(rcl_get_zero_initialized_event()),
        function_(std::move(function)) {
    detail::check(init(&event_), "cannot watch the event '" + name + "'");
    // Events of the first match may have occurred already; rmw_fastrtps loses their number when the
    // notification function is set.
    if (detail::has_occurred(event_, node->context())) held_ = take();
    if (held_) announcements_.begin(tasks::announced_total(*held_));
    if (held_ && !tasks::reports_change(*held_)) held_.reset();
    const auto announced = [](const void * self, std::size_t count) {
      static_cast<EventCallback *>(const_cast<void *>(self))->announced(count);
    };
    try {
      detail::check(rcl_event_set_callback(&event_, announced, this),
                    "cannot listen to '" + id() + "'");
    } catch (const RclError &) {
      if (rcl_event_fini(&event_) != RCL_RET_OK) detail::take_rcl_error();
      throw;
    }
  }

  ~EventCallback() override {
    if (rcl_event_set_callback(&event_, nullptr, nullptr) != RCL_RET_OK) detail::take_rcl_error();
    if (rcl_event_fini(&event_) != RCL_RET_OK) detail::take_rcl_error();
  }

  void execute(const JobInfo &) override {
    std::optional<Info> info = release_held();
    if (!info) {
      info = announcements_.take([this] { return take(); },
                                 [](const auto & taken) { return tasks::announced_total(*taken); });
    }
    // An event that was announced in the meantime gets a job of its own.
    if (listening_.load() && announcements_.news()) released();
    if (info && tasks::reports_change(*info)) function_(*info);
  }

  void listen(bool on) override {
    listening_.store(on);
    // An event may have been announced to the previous executor, which did not run its job any more.
    if (on && holds()) released();
  }

  void detach() override {
    Callback::detach();
    listen(false);
  }

  void prepare_wait_set() override {
    if (guard_ != nullptr) return;
    guard_ = detail::make_guard_condition(node().context());
    guard_to_trigger_.store(guard_.get(), std::memory_order_release);
  }
  WaitSetSize wait_set_size() const noexcept override {
    return {.guard_conditions = guard_ != nullptr ? std::size_t{1} : 0};
  }
  void add_to_wait_set(rcl_wait_set_t & set) override {
    if (guard_ == nullptr) return;
    detail::check(rcl_wait_set_add_guard_condition(&set, guard_.get(), nullptr),
                  "cannot wait for '" + id() + "'");
  }
  bool is_ready(const rcl_wait_set_t &) const noexcept override { return holds(); }
  bool holds() const noexcept override {
    if (announcements_.news()) return true;
    const os::Lock lock(mutex_);
    return held_.has_value();
  }

 private:
  std::optional<Info> take() {
    Info info{};
    const executor::Processor::Section section(entity_);
    if (rcl_take_event(&event_, &info) == RCL_RET_OK) return info;
    detail::take_rcl_error();
    return std::nullopt;
  }
  std::optional<Info> release_held() {
    const os::Lock lock(mutex_);
    return std::exchange(held_, std::nullopt);
  }
  /// Called by a thread of the middleware that holds its locks. One job reports everything that has happened until
  /// it runs.
  void announced(std::size_t count) noexcept {
    if (!announcements_.announce(count)) return;
    if (auto * guard = guard_to_trigger_.load(std::memory_order_acquire)) detail::trigger(*guard);
    if (listening_.load()) released();
  }

  std::shared_ptr<const void> parent_;
  executor::Entity entity_;
  rcl_event_t event_;
  std::function<void(Info &)> function_;
  std::shared_ptr<rcl_guard_condition_t> guard_;  // for executors with a wait set
  std::atomic<rcl_guard_condition_t *> guard_to_trigger_ = nullptr;
  std::atomic<bool> listening_ = false;
  tasks::EventAnnouncements announcements_;
  mutable os::Mutex mutex_{os::LockRank::subscription_event};
  std::optional<Info> held_ TAKT_GUARDED_BY(mutex_);  // taken and not delivered yet
};

/// Collects the events of one publisher or subscription.
template <typename Handle, typename Type, rcl_ret_t (*init)(rcl_event_t *, const Handle *, Type)>
class Events {
 public:
  Events(const std::shared_ptr<NodeBase> & node, const std::shared_ptr<Handle> & handle,
         std::string topic, const CallbackGroup::SharedPtr & group)
      : node_(node), handle_(handle), topic_(std::move(topic)), group_(group) {}

  template <typename Info>
  void add(Type type, const char * name, std::function<void(Info &)> function) {
    add(type, name, std::move(function), group_);
  }

  template <typename Info>
  void add(Type type, const char * name, std::function<void(Info &)> function,
           const CallbackGroup::SharedPtr & group) {
    if (function == nullptr) return;
    const auto make = [this, type](rcl_event_t * event) {
      return init(event, handle_.get(), type);
    };
    made_.push_back(node_->add(std::make_shared<EventCallback<Info>>(
        node_, handle_, topic_ + "." + name, std::move(function), group, make)));
  }

  /// Adds the event of an incompatible QoS. Without a function, a warning is logged, if the middleware
  /// supports the event.
  void add_incompatible(Type type, std::function<void(IncompatibleQosInfo &)> function,
                        const char * what) {
    if (function != nullptr) {
      add<IncompatibleQosInfo>(type, "incompatible_qos", std::move(function));
      return;
    }
    const Logger logger = get_logger(rcl_node_get_logger_name(node_->rcl_node()));
    const auto warn = [logger, topic = topic_, what](IncompatibleQosInfo & info) {
      const char * policy = rmw_qos_policy_kind_to_str(info.last_policy_kind);
      TAKT_WARN(logger, "a %s of '%s' has an incompatible QoS and does not match: %s differs", what,
                topic.c_str(), policy != nullptr ? policy : "a policy");
    };
    // In a group of its own: it shares no data with the node's callbacks, which need not wait for it.
    static const auto apart = std::make_shared<CallbackGroup>(CallbackGroupType::reentrant);
    try {
      add<IncompatibleQosInfo>(type, "incompatible_qos", warn, apart);
    } catch (const RclError & error) {
      if (error.code() != RCL_RET_UNSUPPORTED) throw;
    }
  }

  std::vector<std::shared_ptr<Callback>> made() && { return std::move(made_); }

 private:
  std::shared_ptr<NodeBase> node_;
  std::shared_ptr<Handle> handle_;
  std::string topic_;
  CallbackGroup::SharedPtr group_;
  std::vector<std::shared_ptr<Callback>> made_;
};

}  // namespace

namespace detail {

std::vector<std::shared_ptr<Callback>> make_events(
    const std::shared_ptr<NodeBase> & node, const std::shared_ptr<rcl_publisher_t> & publisher,
    PublisherEventCallbacks callbacks, const CallbackGroup::SharedPtr & group) {
  Events<rcl_publisher_t, rcl_publisher_event_type_t, rcl_publisher_event_init> events(
      node, publisher, rcl_publisher_get_topic_name(publisher.get()), group);
  events.add(RCL_PUBLISHER_OFFERED_DEADLINE_MISSED, "deadline", std::move(callbacks.deadline));
  events.add(RCL_PUBLISHER_LIVELINESS_LOST, "liveliness", std::move(callbacks.liveliness));
  events.add_incompatible(RCL_PUBLISHER_OFFERED_INCOMPATIBLE_QOS,
                          std::move(callbacks.incompatible_qos), "subscription");
  events.add(RCL_PUBLISHER_INCOMPATIBLE_TYPE, "incompatible_type",
             std::move(callbacks.incompatible_type));
  events.add(RCL_PUBLISHER_MATCHED, "matched", std::move(callbacks.matched));
  return std::move(events).made();
}

std::vector<std::shared_ptr<Callback>> make_events(
    const std::shared_ptr<NodeBase> & node,
    const std::shared_ptr<rcl_subscription_t> & subscription, SubscriptionEventCallbacks callbacks,
    const CallbackGroup::SharedPtr & group) {
  Events<rcl_subscription_t, rcl_subscription_event_type_t, rcl_subscription_event_init> events(
      node, subscription, rcl_subscription_get_topic_name(subscription.get()), group);
  events.add(RCL_SUBSCRIPTION_REQUESTED_DEADLINE_MISSED, "deadline", std::move(callbacks.deadline));
  events.add(RCL_SUBSCRIPTION_LIVELINESS_CHANGED, "liveliness", std::move(callbacks.liveliness));
  events.add_incompatible(RCL_SUBSCRIPTION_REQUESTED_INCOMPATIBLE_QOS,
                          std::move(callbacks.incompatible_qos), "publisher");
  events.add(RCL_SUBSCRIPTION_INCOMPATIBLE_TYPE, "incompatible_type",
             std::move(callbacks.incompatible_type));
  events.add(RCL_SUBSCRIPTION_MESSAGE_LOST, "message_lost", std::move(callbacks.message_lost));
  events.add(RCL_SUBSCRIPTION_MATCHED, "matched", std::move(callbacks.matched));
  return std::move(events).made();
}

}  // namespace detail
}  // namespace takt
