// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// Prints the QoS events that are reported to it.

#include <chrono>
#include <memory>
#include <takt/takt.hpp>
#include <takt_msgs/msg/payload.hpp>

#include "programs.hpp"
#include "ready.hpp"

using takt_msgs::msg::Payload;
using namespace std::chrono_literals;

void programs::events(int argc, char ** argv) {
  takt::init(argc, argv);
  auto node = std::make_shared<takt::Node>("events");
  const auto ignore = [](const Payload &) {};

  takt::PublisherOptions offered;
  offered.event_callbacks.incompatible_qos = [](takt::IncompatibleQosInfo & info) {
    say("publisher incompatible_qos %d", static_cast<int>(info.last_policy_kind));
  };
  const auto offers_less =
      node->create_publisher<Payload>("asked_reliable", takt::QoS(1).best_effort(), offered);

  takt::SubscriptionOptions requested;
  requested.event_callbacks.incompatible_qos = [](takt::IncompatibleQosInfo & info) {
    say("subscription incompatible_qos %d", static_cast<int>(info.last_policy_kind));
  };
  const auto asks_more = node->create_subscription<Payload>(
      "offered_best_effort", takt::QoS(1).reliable(), ignore, requested);

  takt::SubscriptionOptions punctual;
  punctual.event_callbacks.deadline = [](takt::DeadlineRequestedInfo &) {
    say("subscription deadline");
  };
  const auto wants_often = node->create_subscription<Payload>(
      "often", takt::QoS(1).deadline(100ms), [](const Payload &) { say("often"); }, punctual);

  takt::PublisherOptions promising;
  promising.event_callbacks.deadline = [](takt::DeadlineOfferedInfo &) {
    say("publisher deadline");
  };
  promising.event_callbacks.liveliness = [](takt::LivelinessLostInfo &) {
    say("publisher liveliness lost");
  };
  const auto promises =
      node->create_publisher<Payload>("promised",
                                      takt::QoS(1)
                                          .deadline(100ms)
                                          .liveliness(takt::Liveliness::manual_by_topic)
                                          .liveliness_lease_duration(100ms),
                                      promising);
  promises->publish(Payload());

  // On a publisher without a deadline: see docs/reference/cpp.md on the two together.
  takt::PublisherOptions counted;
  counted.event_callbacks.matched = [](takt::MatchedInfo & info) {
    say("publisher matched %zu", info.current_count);
  };
  const auto counts_readers = node->create_publisher<Payload>("counted", takt::QoS(1), counted);

  takt::SubscriptionOptions watching;
  watching.event_callbacks.liveliness = [](takt::LivelinessChangedInfo & info) {
    say("subscription alive %d not alive %d", info.alive_count, info.not_alive_count);
  };
  const auto watches = node->create_subscription<Payload>(
      "alive",
      takt::QoS(1).liveliness(takt::Liveliness::manual_by_topic).liveliness_lease_duration(200ms),
      ignore, watching);

  takt::SubscriptionOptions counting;
  counting.event_callbacks.message_lost = [](takt::MessageLostInfo & info) {
    say("subscription lost %zu", info.total_count_change);
  };
  const auto counts =
      node->create_subscription<Payload>("lossy", takt::QoS(1).best_effort(), ignore, counting);
  spin_ready(node);
}
