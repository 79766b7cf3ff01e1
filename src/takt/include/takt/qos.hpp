// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rmw/types.h>

#include <concepts>
#include <cstddef>
#include <string>

#include "takt/time.hpp"

namespace takt {

enum class Reliability { reliable, best_effort, system_default, best_available };
enum class Durability { transient_local, volatile_, system_default, best_available };
enum class History { keep_last, keep_all, system_default };
enum class Liveliness { automatic, manual_by_topic, system_default, best_available };

/// The quality of service of a publisher, subscription, service or client, with the policies of ROS 2.
/// Initially reliable and volatile, with a history of the last `depth` messages. Setters return the
/// object, so calls can be chained; they throw Error for negative durations and for depth 0. A value
/// type; no function allocates (unless it throws) or blocks.
class QoS {
 public:
  /// A history of the last `depth` messages (KEEP_LAST). Throws Error unless `depth` is above 0.
  template <std::integral Depth>
  // NOLINTNEXTLINE(google-explicit-constructor): create_publisher<T>("topic", 1) as in rclcpp.
  QoS(Depth depth) : QoS() {
    keep_last(static_cast<std::size_t>(depth < 0 ? 0 : depth));
  }
  explicit QoS(const rmw_qos_profile_t & profile) : profile_(profile) {}

  /// Sets a history of the last `depth` messages (KEEP_LAST). Throws Error for 0.
  QoS & keep_last(std::size_t depth);
  /// Sets an unlimited history (KEEP_ALL) for the middleware. takt's own queues stay bounded: inside the
  /// process and in the scheduler it means the last `keep_all_bound` messages.
  QoS & keep_all();
  QoS & reliability(Reliability reliability);
  QoS & reliable() { return reliability(Reliability::reliable); }
  QoS & best_effort() { return reliability(Reliability::best_effort); }
  QoS & reliability_best_available() { return reliability(Reliability::best_available); }
  QoS & durability(Durability durability);
  QoS & transient_local() { return durability(Durability::transient_local); }
  QoS & durability_volatile() { return durability(Durability::volatile_); }
  QoS & durability_best_available() { return durability(Durability::best_available); }
  /// Sets the longest time between two messages. 0 selects the middleware's default: infinite.
  QoS & deadline(Duration deadline);
  /// Sets the time after which a message expires. 0 selects the middleware's default: infinite.
  QoS & lifespan(Duration lifespan);
  QoS & liveliness(Liveliness liveliness);
  /// Sets the time within which a publisher must show that it is alive. 0 selects the middleware's
  /// default: infinite.
  QoS & liveliness_lease_duration(Duration lease);

  // The policies as they were set, or as the middleware reports them. A duration of 0 stands for
  // the middleware's default.
  Reliability reliability() const;
  Durability durability() const;
  History history() const;
  std::size_t depth() const noexcept { return profile_.depth; }
  Duration deadline() const;
  Duration lifespan() const;
  Liveliness liveliness() const;
  Duration liveliness_lease_duration() const;

  /// The capacity of takt's queues for this QoS, in messages: at least 1.
  std::size_t queue_depth() const noexcept;
  const rmw_qos_profile_t & profile() const noexcept { return profile_; }
  friend bool operator==(const QoS & a, const QoS & b) noexcept;

  /// The capacity of takt's own queues where the history is KEEP_ALL, in messages.
  static constexpr std::size_t keep_all_bound = 1000;

 private:
  QoS();
  rmw_qos_profile_t profile_;
};

// The predefined profiles of ROS 2.

/// Best effort, with a history of the last 5 messages.
QoS sensor_data_qos();
/// The middleware's defaults for all policies.
QoS system_defaults_qos();
/// For each policy, the value that matches the most endpoints that exist at creation.
QoS best_available_qos();
QoS services_qos();
QoS parameters_qos();
QoS parameter_events_qos();
/// Best effort, with a history of the last message.
QoS clock_qos();
QoS rosout_qos();

/// Returns a description for display, for example `reliable, volatile, keep last 10`. Allocates.
std::string to_string(const QoS & qos);
const char * to_string(Reliability value) noexcept;
const char * to_string(Durability value) noexcept;
const char * to_string(History value) noexcept;
const char * to_string(Liveliness value) noexcept;

}  // namespace takt
