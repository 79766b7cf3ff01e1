// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "takt/subscription_base.hpp"

namespace takt {
namespace detail {

template <typename T, typename F>
Deliver make_deliver(F function) {
  using Shared = std::shared_ptr<const T>;
  // The forms that need a copy come last, because a callable of another form may accept a copy, too.
  if constexpr (std::is_invocable_v<F &, const T &>) {
    return [function = std::move(function)](const std::shared_ptr<const void> & message,
                                            const Received &) mutable {
      function(*static_cast<const T *>(message.get()));
    };
  } else if constexpr (std::is_invocable_v<F &, const T &, const MessageInfo &>) {
    return [function = std::move(function)](const std::shared_ptr<const void> & message,
                                            const Received & received) mutable {
      function(*static_cast<const T *>(message.get()), received.info());
    };
  } else if constexpr (std::is_invocable_v<F &, Shared>) {
    return [function = std::move(function)](const std::shared_ptr<const void> & message,
                                            const Received &) mutable {
      function(std::static_pointer_cast<const T>(message));
    };
  } else if constexpr (std::is_invocable_v<F &, Shared, const MessageInfo &>) {
    return [function = std::move(function)](const std::shared_ptr<const void> & message,
                                            const Received & received) mutable {
      function(std::static_pointer_cast<const T>(message), received.info());
    };
  } else if constexpr (std::is_invocable_v<F &, std::unique_ptr<T>>) {
    return [function = std::move(function)](const std::shared_ptr<const void> & message,
                                            const Received &) mutable {
      function(std::make_unique<T>(*static_cast<const T *>(message.get())));
    };
  } else {
    static_assert(std::is_invocable_v<F &, std::unique_ptr<T>, const MessageInfo &>,
                  "a subscription's callback takes (const T &), (std::shared_ptr<const T>), or a "
                  "copy as (std::shared_ptr<T>) or (std::unique_ptr<T>), and after it, if it "
                  "likes, (const takt::MessageInfo &)");
    return [function = std::move(function)](const std::shared_ptr<const void> & message,
                                            const Received & received) mutable {
      function(std::make_unique<T>(*static_cast<const T *>(message.get())), received.info());
    };
  }
}

template <typename T, typename F>
Delivery make_delivery(F function) {
  const CallbackSymbol symbol = symbol_of(function);
  return {make_deliver<T>(std::move(function)), symbol};
}

}  // namespace detail

/// Receives messages of one type on one topic. Created by Node::create_subscription(). The callback takes
/// (const T &) or (std::shared_ptr<const T>), optionally followed by (const MessageInfo &). It may keep
/// the shared pointer; the message is shared with other readers and is never changed. A callback that
/// takes (std::shared_ptr<T>) or (std::unique_ptr<T>) receives a copy of its own, which allocates.
///
/// The callback runs on a thread of the executor, in a job of the subscription or of a timer that reads
/// it. Calls do not overlap, unless the group is reentrant and several timers read the subscription. The
/// executor handles what the callback throws. Delivery allocates nothing, except for messages from
/// outside the process if the callback keeps more than one of them, or if their strings and sequences
/// outgrow the memory of the messages that are reused.
template <typename T>
class Subscription : public SubscriptionBase {
 public:
  using SharedPtr = std::shared_ptr<Subscription>;

  /// See SubscriptionBase's constructor for what is thrown.
  template <typename F>
  Subscription(std::shared_ptr<NodeBase> node, const std::string & topic, const QoS & qos,
               F callback, const SubscriptionOptions & options)
      : SubscriptionBase(std::move(node), topic, qos, options, message_type<T>(),
                         detail::make_delivery<T>(std::move(callback))) {}
};

}  // namespace takt
