// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rcl/event.h>
#include <rmw/events_statuses/events_statuses.h>

#include <functional>
#include <memory>
#include <vector>

#include "takt/callback.hpp"

namespace takt {

// The statuses that the middleware reports, as rmw defines them. Their counts are totals since the
// entity was created, and changes since the last report.
using DeadlineOfferedInfo = rmw_offered_deadline_missed_status_t;
using DeadlineRequestedInfo = rmw_requested_deadline_missed_status_t;
using LivelinessLostInfo = rmw_liveliness_lost_status_t;
using LivelinessChangedInfo = rmw_liveliness_changed_status_t;
using IncompatibleQosInfo = rmw_qos_incompatible_event_status_t;
using IncompatibleTypeInfo = rmw_incompatible_type_status_t;
using MessageLostInfo = rmw_message_lost_status_t;
using MatchedInfo = rmw_matched_status_t;

/// Functions for the QoS events of a publisher. An executor runs each as a callback of the lowest
/// priority on one of its threads. The callback is named after the node, the topic and the member of this
/// struct, for example `node/topic.deadline`. A function that is nullptr is not called; where a default is
/// stated, that happens instead. A function for an event that the middleware does not support makes the
/// creation of the publisher throw RclError (RCL_RET_UNSUPPORTED).
struct PublisherEventCallbacks {
  std::function<void(DeadlineOfferedInfo &)> deadline = nullptr;
  std::function<void(LivelinessLostInfo &)> liveliness = nullptr;
  /// Default: a warning is logged once.
  std::function<void(IncompatibleQosInfo &)> incompatible_qos = nullptr;
  std::function<void(IncompatibleTypeInfo &)> incompatible_type = nullptr;
  /// Under rmw_fastrtps, do not combine with a deadline in the QoS: a deadlock inside the middleware may
  /// follow (see docs/reference/cpp.md).
  std::function<void(MatchedInfo &)> matched = nullptr;
};

/// Functions for the QoS events of a subscription; see PublisherEventCallbacks.
struct SubscriptionEventCallbacks {
  std::function<void(DeadlineRequestedInfo &)> deadline = nullptr;
  std::function<void(LivelinessChangedInfo &)> liveliness = nullptr;
  /// Default: a warning is logged once.
  std::function<void(IncompatibleQosInfo &)> incompatible_qos = nullptr;
  std::function<void(IncompatibleTypeInfo &)> incompatible_type = nullptr;
  std::function<void(MessageLostInfo &)> message_lost = nullptr;
  std::function<void(MatchedInfo &)> matched = nullptr;
};

namespace detail {

/// Create the callbacks of the events for which there is a function or a default. The caller must keep the
/// returned handles as long as the publisher or subscription exists. Allocate, block. Throw RclError.
std::vector<std::shared_ptr<Callback>> make_events(
    const std::shared_ptr<NodeBase> & node, const std::shared_ptr<rcl_publisher_t> & publisher,
    PublisherEventCallbacks callbacks, const CallbackGroup::SharedPtr & group);
std::vector<std::shared_ptr<Callback>> make_events(
    const std::shared_ptr<NodeBase> & node,
    const std::shared_ptr<rcl_subscription_t> & subscription, SubscriptionEventCallbacks callbacks,
    const CallbackGroup::SharedPtr & group);

}  // namespace detail
}  // namespace takt
