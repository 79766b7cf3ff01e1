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

/// Options of Node::create_publisher().
struct PublisherOptions {
  /// The reaction when all messages of the publisher's pool are in use.
  PoolRule when_exhausted = PoolRule::grow;
  PublisherEventCallbacks event_callbacks = {};
  /// The callback group of the event callbacks. Default (nullptr): the node's default group.
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

  // The functions below may be called from any thread, including callbacks. Those that query the
  // middleware take its locks.

  /// The topic name, expanded and remapped. Valid as long as the publisher exists.
  const char * get_topic_name() const noexcept;
  /// The number of matched subscriptions, inside and outside the process; 0 after shutdown. Queries the
  /// middleware. Throws RclError.
  std::size_t get_subscription_count() const;
  /// The number of matched subscriptions that receive messages through the exchange inside the process.
  /// Takes no lock.
  std::size_t get_intra_process_subscription_count() const noexcept { return inside_.readers(); }
  /// The QoS in use; where a default was requested, with the middleware's choice.
  QoS get_actual_qos() const;
  const Gid & get_gid() const noexcept { return gid_; }
  /// Asserts that the publisher is alive, for Liveliness::manual_by_topic. Throws RclError.
  void assert_liveliness() const;
  /// Blocks until every reliable subscription outside the process has acknowledged all messages, or
  /// `timeout` has passed (negative: no limit). Returns false on timeout. Throws RclError. Must not be
  /// called in a callback.
  bool wait_for_all_acked(Duration timeout) const;

  /// The number of messages that the middleware failed to send since the publisher was created. The
  /// first failure is logged. After the shutdown of the context nothing is published, which is logged
  /// once and not counted: see Context::on_pre_shutdown().
  std::uint64_t failures() const noexcept { return failures_.load(std::memory_order_relaxed); }
  /// How often the pool had no free message, so that a message was allocated, or not delivered inside
  /// the process: see PoolRule. A warning is logged once: when the first message is dropped, or when the
  /// pool has grown to more than twice what the queues of its readers need.
  std::uint64_t pool_exhausted() const noexcept { return inside_.pool().exhausted(); }
  /// The number of messages in the pool, lent or free. Under PoolRule::drop, that is the number reserved
  /// for the matching readers.
  std::size_t pool_size() const noexcept { return inside_.pool().size(); }

  /// The rcl publisher, valid as long as this object.
  rcl_publisher_t * rcl_publisher() const noexcept { return publisher_.get(); }

 protected:
  /// Publishes a message that the caller keeps. It is copied once if there is a reader inside.
  void publish_copy(const void * message);
  /// Publishes a message that must not be changed any more.
  void publish_shared(std::shared_ptr<const void> message);
  MessagePool & pool() const noexcept { return inside_.pool(); }
  /// Borrows a message from the pool; see MessagePool::take().
  std::shared_ptr<void> borrow() { return pool().take(); }

 private:
  void publish_inside(std::shared_ptr<const void> message);
  void publish_outside(const void * message);
  bool wanted_outside() noexcept;
  void send(const void * message) noexcept;
  void log_late_send() const noexcept;

  std::shared_ptr<NodeBase> node_;
  const MessageType & type_;
  std::shared_ptr<rcl_publisher_t> publisher_;
  std::string topic_;
  Gid gid_{};
  executor::Entity entity_;
  const model::ChannelId channel_;
  InsideWriter inside_;
  // Publish by the middleware even without subscriptions outside. Also set if there is a `matched`
  // event callback: rmw_cyclonedds does not report a match that was counted before.
  bool always_outside_;
  bool inside_match_;  // the middleware counts readers inside at once, too
  std::atomic<std::uint32_t> messages_until_recount_ = 0;  // of the subscriptions
  std::atomic<std::uint64_t> failures_ = 0;
  std::vector<std::shared_ptr<Callback>> events_;
};

}  // namespace takt
