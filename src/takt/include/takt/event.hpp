// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rcl/event.h>
#include <rmw/events_statuses/events_statuses.h>

#include <functional>
#include <memory>
#include <vector>

#include "takt/callback.hpp"

namespace takt {

// What the middleware reports, as rmw names it: counts since the start and since the last report.
using DeadlineOfferedInfo = rmw_offered_deadline_missed_status_t;
using DeadlineRequestedInfo = rmw_requested_deadline_missed_status_t;
using LivelinessLostInfo = rmw_liveliness_lost_status_t;
using LivelinessChangedInfo = rmw_liveliness_changed_status_t;
using IncompatibleQosInfo = rmw_qos_incompatible_event_status_t;
using IncompatibleTypeInfo = rmw_incompatible_type_status_t;
using MessageLostInfo = rmw_message_lost_status_t;
using MatchedInfo = rmw_matched_status_t;

/// Called by the executor as callbacks of the lowest priority, `node/topic.event`, and as any
/// callback on one of its threads. An event that the middleware does not support makes the creation
/// throw RclError (RCL_RET_UNSUPPORTED).
struct PublisherEventCallbacks {
  std::function<void(DeadlineOfferedInfo &)> deadline = nullptr;
  std::function<void(LivelinessLostInfo &)> liveliness = nullptr;
  /// Default: one warning in the log.
  std::function<void(IncompatibleQosInfo &)> incompatible_qos = nullptr;
  std::function<void(IncompatibleTypeInfo &)> incompatible_type = nullptr;
  /// With rmw_fastrtps not together with a deadline in the QoS, or both may hang (docs/reference/cpp.md).
  std::function<void(MatchedInfo &)> matched = nullptr;
};

/// As PublisherEventCallbacks.
struct SubscriptionEventCallbacks {
  std::function<void(DeadlineRequestedInfo &)> deadline = nullptr;
  std::function<void(LivelinessChangedInfo &)> liveliness = nullptr;
  /// Default: one warning in the log.
  std::function<void(IncompatibleQosInfo &)> incompatible_qos = nullptr;
  std::function<void(IncompatibleTypeInfo &)> incompatible_type = nullptr;
  std::function<void(MessageLostInfo &)> message_lost = nullptr;
  std::function<void(MatchedInfo &)> matched = nullptr;
};

namespace detail {

/// Make the event callbacks that are set; the handles are the entity's to keep.
std::vector<std::shared_ptr<Callback>> make_events(
    const std::shared_ptr<NodeBase> & node, const std::shared_ptr<rcl_publisher_t> & publisher,
    PublisherEventCallbacks callbacks, const CallbackGroup::SharedPtr & group);
std::vector<std::shared_ptr<Callback>> make_events(
    const std::shared_ptr<NodeBase> & node,
    const std::shared_ptr<rcl_subscription_t> & subscription, SubscriptionEventCallbacks callbacks,
    const CallbackGroup::SharedPtr & group);

}  // namespace detail
}  // namespace takt
