// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt/qos.hpp"

#include <rmw/qos_profiles.h>
#include <rmw/time.h>

#include <limits>

#include "takt/exceptions.hpp"

namespace takt {
namespace {

rmw_time_t to_rmw(Duration duration, const char * what) {
  if (duration < Duration::zero()) {
    throw Error(std::string("QoS ") + what + " is negative: give 0 or more");
  }
  return rmw_time_from_nsec(duration.count());
}

Duration from_rmw(const rmw_time_t & time) {
  return Duration(rmw_time_total_nsec(time));
}

}  // namespace

QoS::QoS() : profile_(rmw_qos_profile_default) {}

QoS & QoS::keep_last(std::size_t depth) {
  if (depth == 0) throw Error("QoS depth is 0: keep at least the last message");
  profile_.history = RMW_QOS_POLICY_HISTORY_KEEP_LAST;
  profile_.depth = depth;
  return *this;
}

QoS & QoS::keep_all() {
  profile_.history = RMW_QOS_POLICY_HISTORY_KEEP_ALL;
  profile_.depth = 0;
  return *this;
}

QoS & QoS::reliability(Reliability reliability) {
  switch (reliability) {
    case Reliability::reliable:
      profile_.reliability = RMW_QOS_POLICY_RELIABILITY_RELIABLE;
      break;
    case Reliability::best_effort:
      profile_.reliability = RMW_QOS_POLICY_RELIABILITY_BEST_EFFORT;
      break;
    case Reliability::system_default:
      profile_.reliability = RMW_QOS_POLICY_RELIABILITY_SYSTEM_DEFAULT;
      break;
    case Reliability::best_available:
      profile_.reliability = RMW_QOS_POLICY_RELIABILITY_BEST_AVAILABLE;
      break;
  }
  return *this;
}

QoS & QoS::durability(Durability durability) {
  switch (durability) {
    case Durability::transient_local:
      profile_.durability = RMW_QOS_POLICY_DURABILITY_TRANSIENT_LOCAL;
      break;
    case Durability::volatile_:
      profile_.durability = RMW_QOS_POLICY_DURABILITY_VOLATILE;
      break;
    case Durability::system_default:
      profile_.durability = RMW_QOS_POLICY_DURABILITY_SYSTEM_DEFAULT;
      break;
    case Durability::best_available:
      profile_.durability = RMW_QOS_POLICY_DURABILITY_BEST_AVAILABLE;
      break;
  }
  return *this;
}

QoS & QoS::deadline(Duration deadline) {
  profile_.deadline = to_rmw(deadline, "deadline");
  return *this;
}

QoS & QoS::lifespan(Duration lifespan) {
  profile_.lifespan = to_rmw(lifespan, "lifespan");
  return *this;
}

QoS & QoS::liveliness(Liveliness liveliness) {
  switch (liveliness) {
    case Liveliness::automatic:
      profile_.liveliness = RMW_QOS_POLICY_LIVELINESS_AUTOMATIC;
      break;
    case Liveliness::manual_by_topic:
      profile_.liveliness = RMW_QOS_POLICY_LIVELINESS_MANUAL_BY_TOPIC;
      break;
    case Liveliness::system_default:
      profile_.liveliness = RMW_QOS_POLICY_LIVELINESS_SYSTEM_DEFAULT;
      break;
    case Liveliness::best_available:
      profile_.liveliness = RMW_QOS_POLICY_LIVELINESS_BEST_AVAILABLE;
      break;
  }
  return *this;
}

QoS & QoS::liveliness_lease_duration(Duration lease) {
  profile_.liveliness_lease_duration = to_rmw(lease, "liveliness lease duration");
  return *this;
}

Reliability QoS::reliability() const {
  switch (profile_.reliability) {
    case RMW_QOS_POLICY_RELIABILITY_RELIABLE:
      return Reliability::reliable;
    case RMW_QOS_POLICY_RELIABILITY_BEST_EFFORT:
      return Reliability::best_effort;
    case RMW_QOS_POLICY_RELIABILITY_BEST_AVAILABLE:
      return Reliability::best_available;
    default:
      return Reliability::system_default;
  }
}

Durability QoS::durability() const {
  switch (profile_.durability) {
    case RMW_QOS_POLICY_DURABILITY_TRANSIENT_LOCAL:
      return Durability::transient_local;
    case RMW_QOS_POLICY_DURABILITY_VOLATILE:
      return Durability::volatile_;
    case RMW_QOS_POLICY_DURABILITY_BEST_AVAILABLE:
      return Durability::best_available;
    default:
      return Durability::system_default;
  }
}

History QoS::history() const {
  switch (profile_.history) {
    case RMW_QOS_POLICY_HISTORY_KEEP_LAST:
      return History::keep_last;
    case RMW_QOS_POLICY_HISTORY_KEEP_ALL:
      return History::keep_all;
    default:
      return History::system_default;
  }
}

Liveliness QoS::liveliness() const {
  switch (profile_.liveliness) {
    case RMW_QOS_POLICY_LIVELINESS_AUTOMATIC:
      return Liveliness::automatic;
    case RMW_QOS_POLICY_LIVELINESS_MANUAL_BY_TOPIC:
      return Liveliness::manual_by_topic;
    case RMW_QOS_POLICY_LIVELINESS_BEST_AVAILABLE:
      return Liveliness::best_available;
    default:
      return Liveliness::system_default;
  }
}

Duration QoS::deadline() const {
  return from_rmw(profile_.deadline);
}
Duration QoS::lifespan() const {
  return from_rmw(profile_.lifespan);
}
Duration QoS::liveliness_lease_duration() const {
  return from_rmw(profile_.liveliness_lease_duration);
}

std::size_t QoS::queue_depth() const noexcept {
  if (profile_.history == RMW_QOS_POLICY_HISTORY_KEEP_ALL) return keep_all_bound;
  return profile_.depth > 0 ? profile_.depth : 1;
}

bool operator==(const QoS & a, const QoS & b) noexcept {
  const rmw_qos_profile_t & x = a.profile_;
  const rmw_qos_profile_t & y = b.profile_;
  return x.history == y.history && x.depth == y.depth && x.reliability == y.reliability &&
         x.durability == y.durability && rmw_time_equal(x.deadline, y.deadline) &&
         rmw_time_equal(x.lifespan, y.lifespan) && x.liveliness == y.liveliness &&
         rmw_time_equal(x.liveliness_lease_duration, y.liveliness_lease_duration) &&
         x.avoid_ros_namespace_conventions == y.avoid_ros_namespace_conventions;
}

QoS sensor_data_qos() {
  return QoS(rmw_qos_profile_sensor_data);
}
QoS system_defaults_qos() {
  return QoS(rmw_qos_profile_system_default);
}
QoS best_available_qos() {
  return QoS(rmw_qos_profile_best_available);
}
QoS services_qos() {
  return QoS(rmw_qos_profile_services_default);
}
QoS parameters_qos() {
  return QoS(rmw_qos_profile_parameters);
}
QoS parameter_events_qos() {
  return QoS(rmw_qos_profile_parameter_events);
}
QoS clock_qos() {
  return QoS(1).best_effort();
}

QoS rosout_qos() {
  return QoS(1000).transient_local().lifespan(std::chrono::seconds(10));
}

const char * to_string(Reliability value) noexcept {
  switch (value) {
    case Reliability::reliable:
      return "reliable";
    case Reliability::best_effort:
      return "best_effort";
    case Reliability::best_available:
      return "best_available";
    case Reliability::system_default:
      break;
  }
  return "system_default";
}

const char * to_string(Durability value) noexcept {
  switch (value) {
    case Durability::transient_local:
      return "transient_local";
    case Durability::volatile_:
      return "volatile";
    case Durability::best_available:
      return "best_available";
    case Durability::system_default:
      break;
  }
  return "system_default";
}

const char * to_string(History value) noexcept {
  switch (value) {
    case History::keep_last:
      return "keep_last";
    case History::keep_all:
      return "keep_all";
    case History::system_default:
      break;
  }
  return "system_default";
}

const char * to_string(Liveliness value) noexcept {
  switch (value) {
    case Liveliness::automatic:
      return "automatic";
    case Liveliness::manual_by_topic:
      return "manual_by_topic";
    case Liveliness::best_available:
      return "best_available";
    case Liveliness::system_default:
      break;
  }
  return "system_default";
}

std::string to_string(const QoS & qos) {
  std::string text = std::string(to_string(qos.reliability())) + ", " +
                     to_string(qos.durability()) + ", " + to_string(qos.history());
  if (qos.history() == History::keep_last) text += " " + std::to_string(qos.depth());
  return text;
}

}  // namespace takt
