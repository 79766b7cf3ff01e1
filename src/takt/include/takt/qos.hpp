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

/// Quality of service of a publisher, subscription, service or client, with the meaning ROS 2 gives
/// each policy. Starts as reliable, volatile, keep last `depth`; setters chain. A value;
/// nothing of it allocates or blocks. Setters throw Error for negative durations and for depth 0.
class QoS {
 public:
  /// Keep the last `depth` messages. Every queue is bounded: see keep_all.
  template <std::integral Depth>
  // NOLINTNEXTLINE(google-explicit-constructor): create_publisher<T>("topic", 1) as in rclcpp.
  QoS(Depth depth) : QoS() {
    keep_last(static_cast<std::size_t>(depth < 0 ? 0 : depth));
  }
  explicit QoS(const rmw_qos_profile_t & profile) : profile_(profile) {}

  /// Throws Error for 0.
  QoS & keep_last(std::size_t depth);
  /// Inside the process and in the scheduler's queues that means keep the last `keep_all_bound`.
  QoS & keep_all();
  QoS & reliability(Reliability reliability);
  QoS & reliable() { return reliability(Reliability::reliable); }
  QoS & best_effort() { return reliability(Reliability::best_effort); }
  QoS & reliability_best_available() { return reliability(Reliability::best_available); }
  QoS & durability(Durability durability);
  QoS & transient_local() { return durability(Durability::transient_local); }
  QoS & durability_volatile() { return durability(Durability::volatile_); }
  QoS & durability_best_available() { return durability(Durability::best_available); }
  /// The longest time between two messages. 0 is the middleware's default: infinite.
  QoS & deadline(Duration deadline);
  /// How long a message is of use. 0 is the middleware's default: infinite.
  QoS & lifespan(Duration lifespan);
  QoS & liveliness(Liveliness liveliness);
  QoS & liveliness_lease_duration(Duration lease);

  Reliability reliability() const;
  Durability durability() const;
  History history() const;
  std::size_t depth() const noexcept { return profile_.depth; }
  Duration deadline() const;
  Duration lifespan() const;
  Liveliness liveliness() const;
  Duration liveliness_lease_duration() const;

  /// How many messages a queue of this quality holds: at least 1.
  std::size_t queue_depth() const noexcept;
  const rmw_qos_profile_t & profile() const noexcept { return profile_; }
  friend bool operator==(const QoS & a, const QoS & b) noexcept;

  static constexpr std::size_t keep_all_bound = 1000;

 private:
  QoS();
  rmw_qos_profile_t profile_;
};

/// Best effort, the last 5.
QoS sensor_data_qos();
/// The middleware's own defaults.
QoS system_defaults_qos();
/// What matches the most partners there are when it is made.
QoS best_available_qos();
QoS services_qos();
QoS parameters_qos();
QoS parameter_events_qos();
/// Best effort, the last one.
QoS clock_qos();
QoS rosout_qos();

/// As `reliable, volatile, keep last 10`, for people.
std::string to_string(const QoS & qos);
const char * to_string(Reliability value) noexcept;
const char * to_string(Durability value) noexcept;
const char * to_string(History value) noexcept;
const char * to_string(Liveliness value) noexcept;

}  // namespace takt
