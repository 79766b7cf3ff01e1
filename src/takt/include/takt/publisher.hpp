// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "takt/loaned_message.hpp"
#include "takt/publisher_base.hpp"

namespace takt {

/// Publishes messages of one type on one topic. Created by Node::create_publisher().
///
/// publish() may be called from any thread, including callbacks. When it returns, the message is in the
/// queues of all matching subscriptions inside the process. It takes mutexes with priority inheritance
/// for a bounded time. If there is a subscription outside the process, or there was one within the last
/// 64 messages, it also blocks as long as the middleware takes to send. It throws nothing but
/// std::bad_alloc: failures of the middleware are counted, see failures(). After the shutdown of the
/// context it publishes nothing, and a warning is logged once.
template <typename T>
class Publisher : public PublisherBase {
 public:
  using SharedPtr = std::shared_ptr<Publisher>;

  Publisher(std::shared_ptr<NodeBase> node, const std::string & topic, const QoS & qos,
            const PublisherOptions & options)
      : PublisherBase(std::move(node), topic, qos, options, message_type<T>()) {}

  /// Publishes a message. If there are readers inside the process, it is copied once, into a message of
  /// the pool. That allocates only if the pool is exhausted and grows, or if a string or sequence needs
  /// more memory than that of the pool's message has.
  void publish(const T & message) { publish_copy(&message); }
  /// Publishes a message without copying; readers inside the process share it. Allocates the control
  /// block of a shared_ptr. nullptr is ignored.
  void publish(std::unique_ptr<T> message) {
    if (message != nullptr) publish_shared(std::shared_ptr<const T>(std::move(message)));
  }
  /// Publishes a borrowed message. Neither copies nor allocates. An empty loan is ignored.
  void publish(LoanedMessage<T> && loan) {
    if (loan.is_valid()) publish_shared(std::move(loan).release());
  }

  /// Calls `make(T &)` for each free message of the publisher's pool, and for each further message when
  /// it is constructed. `make` should give strings and sequences the memory that they will need, so that
  /// no publication allocates or causes a page fault. For set-up, before the first loan and publication:
  /// allocates. Throws what `make` throws.
  template <typename F>
  void prepare_messages(F make) {
    pool().prepare([make = std::move(make)](void * message) { make(*static_cast<T *>(message)); });
  }

  /// Borrows a message from the publisher's pool. It has the content of its last use, so every field must
  /// be set. If the pool is exhausted, it grows, which allocates, or the loan is empty, as
  /// PublisherOptions::when_exhausted says; otherwise allocates nothing. Any thread, including
  /// callbacks; takes the pool's mutex (priority inheritance).
  LoanedMessage<T> borrow_loaned_message() {
    return LoanedMessage<T>(std::static_pointer_cast<T>(borrow()));
  }
};

}  // namespace takt
