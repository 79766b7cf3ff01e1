// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rcl/publisher.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "takt/event.hpp"
#include "takt/exchange.hpp"
#include "takt/message_info.hpp"
#include "takt/message_type.hpp"
#include "takt/node_base.hpp"
#include "takt/qos.hpp"

namespace takt {

struct PublisherOptions {
  /// What happens when all messages of the publisher's pool are in use.
  PoolRule when_exhausted = PoolRule::grow;
  PublisherEventCallbacks event_callbacks = {};
  /// Group of the event callbacks; default: the node's.
  CallbackGroup::SharedPtr group = nullptr;
};

/// The part of a publisher that does not depend on the type of its messages.
class PublisherBase {
 public:
  /// Throws NameError, RclError. Allocates, blocks.
  PublisherBase(std::shared_ptr<NodeBase> node, const std::string & topic, const QoS & qos,
                const PublisherOptions & options, const MessageType & type);
  ~PublisherBase();
  PublisherBase(const PublisherBase &) = delete;
  PublisherBase & operator=(const PublisherBase &) = delete;

  // Any thread, while spinning too. What is asked of the middleware takes its locks.

  /// Resolved. Valid as long as the publisher.
  const char * get_topic_name() const noexcept;
  /// Subscriptions that the middleware matched, inside the process and outside; 0 after shutdown.
  /// Throws RclError.
  std::size_t get_subscription_count() const;
  /// Those of them that get its messages inside.
  std::size_t get_intra_process_subscription_count() const noexcept { return inside_.readers(); }
  /// With the middleware's choice where the default was asked for.
  QoS get_actual_qos() const;
  const Gid & get_gid() const noexcept { return gid_; }
  /// Says "alive" where the liveliness is manual. Throws RclError.
  void assert_liveliness() const;
  /// Blocks until every reliable subscription outside has acknowledged what was published, at most
  /// `timeout` (negative: for ever). Returns false on timeout. Throws RclError. Not for callbacks.
  bool wait_for_all_acked(Duration timeout) const;

  /// Messages the middleware refused, since the start. The first one is logged. After the shutdown
  /// nothing is published, which is logged once: see Context::on_pre_shutdown().
  std::uint64_t failures() const noexcept { return failures_.load(std::memory_order_relaxed); }
  /// Messages not published to readers inside, or allocated, because the pool was empty: see
  /// PoolRule. A warning in the log says it once: when the first was dropped, or the pool has grown
  /// to more than twice what its readers' queues need.
  std::uint64_t pool_exhausted() const noexcept { return inside_.pool().exhausted(); }
  /// Messages that the pool has, lent or not. Under PoolRule::drop as many as were reserved for the
  /// readers that came.
  std::size_t pool_size() const noexcept { return inside_.pool().size(); }

  rcl_publisher_t * rcl_publisher() const noexcept { return publisher_.get(); }

 protected:
  /// Publishes a message that stays the caller's: copied once if there is a reader inside.
  void publish_copy(const void * message);
  /// Publishes a message that nobody changes any more.
  void publish_shared(std::shared_ptr<const void> message);
  MessagePool & pool() const noexcept { return inside_.pool(); }
  /// A message of the pool; nullptr if there is none.
  std::shared_ptr<void> borrow() { return pool().take(); }

 private:
  void publish_inside(std::shared_ptr<const void> message);
  void publish_outside(const void * message);
  bool wanted_outside() noexcept;
  void send(const void * message) noexcept;
  void tell_of_late() const noexcept;

  std::shared_ptr<NodeBase> node_;
  const MessageType & type_;
  std::shared_ptr<rcl_publisher_t> publisher_;
  std::string topic_;
  Gid gid_{};
  executor::Entity entity_;
  const model::ChannelId channel_;
  InsideWriter inside_;
  // Also where matches are told: rmw_cyclonedds tells of none that was counted before.
  bool always_outside_;
  bool inside_match_;                        // by the middleware, too, at once
  std::atomic<std::uint32_t> unlooked_ = 0;  // messages until the next look at who is outside
  std::atomic<std::uint64_t> failures_ = 0;
  std::vector<std::shared_ptr<Callback>> events_;
};

}  // namespace takt
