// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "takt/loaned_message.hpp"
#include "takt/publisher_base.hpp"

namespace takt {

/// Publishes messages of one type on one topic. Made by Node::create_publisher. Publishing may be
/// done from any thread, also while spinning; what is published inside the process is there when
/// publish returns. It takes locks with priority inheritance for a bounded time, and, if there is a
/// subscription outside, or was within the last 64 messages, as long as the middleware takes to
/// send. It throws std::bad_alloc at most: failures are counted. After shutdown it does nothing.
template <typename T>
class Publisher : public PublisherBase {
 public:
  using SharedPtr = std::shared_ptr<Publisher>;

  Publisher(std::shared_ptr<NodeBase> node, const std::string & topic, const QoS & qos,
            const PublisherOptions & options)
      : PublisherBase(std::move(node), topic, qos, options, message_type<T>()) {}

  /// Copies the message once, into one of the pool, if there are readers inside the process. That
  /// allocates only if the pool is empty and may grow, or the message is larger than the one it is
  /// copied onto ever was.
  void publish(const T & message) { publish_copy(&message); }
  /// Copies nothing; readers inside share the message. Allocates a little; nullptr is ignored.
  void publish(std::unique_ptr<T> message) {
    if (message != nullptr) publish_shared(std::shared_ptr<const T>(std::move(message)));
  }
  /// Copies and allocates nothing. An empty loan publishes nothing.
  void publish(LoanedMessage<T> && loan) {
    if (loan.is_valid()) publish_shared(std::move(loan).release());
  }

  /// Has `make(T &)` called for each message of the publisher's pool, the free ones now and others
  /// when they are made: gives strings and sequences the memory they will need, so that no
  /// publication allocates or touches memory for the first time. Set-up, before the first loan:
  /// allocates; throws what `make` throws.
  template <typename F>
  void prepare_messages(F make) {
    pool().prepare([make = std::move(make)](void * message) { make(*static_cast<T *>(message)); });
  }

  /// A message of the publisher's pool, holding whatever it held when it was last used: set all
  /// that you send. Allocates nothing. Empty if the pool is exhausted and its rule is to drop.
  LoanedMessage<T> borrow_loaned_message() {
    return LoanedMessage<T>(std::static_pointer_cast<T>(borrow()));
  }
};

}  // namespace takt
