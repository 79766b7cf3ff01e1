// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt/publisher_base.hpp"

#include <rmw/rmw.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "exhausted_pool.hpp"
#include "takt/exceptions.hpp"
#include "takt/logging.hpp"
#include "takt/tracepoints.hpp"
#include "takt_core/os/clock.hpp"
#include "takt_core/tasks/middlewares.hpp"

namespace takt {
namespace {

std::shared_ptr<rcl_publisher_t> make_publisher(const std::shared_ptr<NodeBase> & node,
                                                const std::string & topic, const QoS & qos,
                                                const MessageType & type) {
  rcl_publisher_options_t options = rcl_publisher_get_default_options();
  options.qos = qos.profile();
  const auto init = [&](rcl_publisher_t * publisher, const rcl_node_t * of) {
    return rcl_publisher_init(publisher, of, type.support, topic.c_str(), &options);
  };
  return node->make_entity(
      rcl_get_zero_initialized_publisher(), init, rcl_publisher_fini,
      "node '" + std::string(node->name()) + "' cannot publish '" + topic + "'");
}

Gid gid_of(const rcl_publisher_t & publisher) {
  rmw_gid_t gid{};
  detail::check(rmw_get_gid_for_publisher(rcl_publisher_get_rmw_handle(&publisher), &gid),
                "cannot determine the publisher's GID");
  return detail::gid_of(gid);
}

QoS actual_qos(const rcl_publisher_t & publisher) {
  return QoS(*rcl_publisher_get_actual_qos(&publisher));
}

/// The time in ns of the clock that the middleware uses for source timestamps.
std::int64_t system_now() noexcept {
  return std::chrono::duration_cast<Duration>(std::chrono::system_clock::now().time_since_epoch())
      .count();
}

/// The number of messages that are sent before subscriptions outside the process are counted again.
constexpr std::uint32_t looks_every = 64;

/// Returns whether the middleware counts readers of its own process as matched at once. For an unknown
/// middleware it does not: all matched readers are then assumed to be outside the process, and an
/// unnecessary message does no harm.
bool matches_inside() {
  return tasks::counts_inside_at_once(rmw_get_implementation_identifier());
}

/// Returns whether every message must be passed to the middleware, even without subscriptions outside:
/// as history for late-joining readers, or to fulfil liveliness and deadline.
bool middleware_must_see(const QoS & qos) {
  return qos.durability() == Durability::transient_local ||
         qos.liveliness() == Liveliness::manual_by_topic ||
         (qos.deadline() > Duration::zero() && qos.deadline() < Duration::max());
}

}  // namespace

PublisherBase::PublisherBase(std::shared_ptr<NodeBase> node, const std::string & topic,
                             const QoS & qos, const PublisherOptions & options,
                             const MessageType & type)
    : node_(std::move(node)),
      type_(type),
      publisher_(make_publisher(node_, topic, qos, type)),
      topic_(rcl_publisher_get_topic_name(publisher_.get())),
      gid_(gid_of(*publisher_)),
      entity_(topic_),
      channel_(node_->context()->exchange().channel(topic_)),
      inside_(type, actual_qos(*publisher_), gid_, options.when_exhausted,
              detail::exhausted_pool_warning(*node_, "publisher of '" + topic_ + "'",
                                             options.when_exhausted)),
      always_outside_(middleware_must_see(actual_qos(*publisher_)) ||
                      options.event_callbacks.matched != nullptr),
      inside_match_(matches_inside()),
      events_(detail::make_events(node_, publisher_, options.event_callbacks, options.group)) {
  node_->context()->exchange().join(topic_, inside_);
  node_->add_published(topic_);
}

PublisherBase::~PublisherBase() {
  node_->remove_published(topic_);
  node_->context()->exchange().leave(topic_, inside_);
}

const char * PublisherBase::get_topic_name() const noexcept {
  return topic_.c_str();
}

std::size_t PublisherBase::get_subscription_count() const {
  std::size_t count = 0;
  if (!node_->context()->is_valid()) return count;
  detail::check(rcl_publisher_get_subscription_count(publisher_.get(), &count),
                "cannot count the subscriptions of '" + topic_ + "'");
  return count;
}

QoS PublisherBase::get_actual_qos() const {
  return actual_qos(*publisher_);
}

void PublisherBase::assert_liveliness() const {
  detail::check(rcl_publisher_assert_liveliness(publisher_.get()),
                "cannot assert the liveliness of '" + topic_ + "'");
}

bool PublisherBase::wait_for_all_acked(Duration timeout) const {
  const rcl_ret_t code = rcl_publisher_wait_for_all_acked(publisher_.get(), timeout.count());
  if (code == RCL_RET_TIMEOUT) {
    detail::take_rcl_error();
    return false;
  }
  detail::check(code, "cannot wait for the subscriptions of '" + topic_ + "'");
  return true;
}

void PublisherBase::publish_copy(const void * message) {
  if (inside_.wanted()) {
    if (auto copy = borrow()) {
      type_.assign(copy.get(), message);
      publish_inside(std::move(copy));
      return;
    }
  }
  publish_outside(message);
}

void PublisherBase::publish_shared(std::shared_ptr<const void> message) {
  if (inside_.wanted()) {
    publish_inside(std::move(message));
  } else {
    publish_outside(message.get());
  }
}

void PublisherBase::publish_inside(std::shared_ptr<const void> message) {
  if (!node_->context()->is_valid()) return log_late_send();
  const model::Time now = os::now();
  const std::int64_t stamp = system_now();
  // One section around the whole publication, so that jobs that the message releases start only when it
  // has been passed to all readers.
  const executor::Processor::Section section(entity_);
  if (inside_.readers() > 0) {
    TRACETOOLS_TRACEPOINT(rclcpp_intra_publish, static_cast<const void *>(publisher_.get()),
                          message.get());
  }
  if (wanted_outside()) send(message.get());
  const std::uint64_t sequence = inside_.write(std::move(message), now, stamp);
  if (trace::Ring * ring = executor::Processor::trace(); ring != nullptr) {
    ring->push({.at = now, .index = sequence, .task = channel_, .kind = trace::Kind::publication});
  }
}

void PublisherBase::publish_outside(const void * message) {
  if (!node_->context()->is_valid()) return log_late_send();
  const executor::Processor::Section section(entity_);
  if (!wanted_outside()) return;
  if (trace::Ring * ring = executor::Processor::trace(); ring != nullptr) {
    ring->push({.at = os::now(), .task = channel_, .kind = trace::Kind::publication});
  }
  send(message);
}

bool PublisherBase::wanted_outside() noexcept {
  if (always_outside_) return true;
  const std::size_t inside = inside_.readers();
  // Subscriptions that were outside are assumed to exist still: an unnecessary message does no
  // harm, while counting costs some microseconds per message. New subscriptions are always noticed.
  if (std::uint32_t left = messages_until_recount_.load(std::memory_order_relaxed);
      inside == 0 && left > 0) {
    messages_until_recount_.store(left - 1, std::memory_order_relaxed);
    return true;
  }
  std::size_t matched = 0;
  if (rcl_publisher_get_subscription_count(publisher_.get(), &matched) != RCL_RET_OK) {
    detail::take_rcl_error();
    return true;
  }
  const bool wanted = matched > (inside_match_ ? inside : 0);
  messages_until_recount_.store(wanted ? looks_every : 0, std::memory_order_relaxed);
  return wanted;
}

void PublisherBase::log_late_send() const noexcept {
  node_->context()->log_late_send("message", topic_.c_str());
}

void PublisherBase::send(const void * message) noexcept {
  // Without a handle, as in rclcpp: rcl's own tracepoint has it.
  TRACETOOLS_TRACEPOINT(rclcpp_publish, nullptr, message);
  if (rcl_publish(publisher_.get(), message, nullptr) == RCL_RET_OK) return;
  const bool down = !node_->context()->is_valid();
  const std::string reason = detail::take_rcl_error();
  if (down) return log_late_send();
  if (failures_.fetch_add(1, std::memory_order_relaxed) == 0) {
    TAKT_WARN(get_logger(rcl_node_get_logger_name(node_->rcl_node())),
              "cannot publish on '%s' (further failures are only counted): %s", topic_.c_str(),
              reason.c_str());
  }
}

}  // namespace takt
