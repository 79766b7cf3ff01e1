// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt/qos.hpp"

#include <gtest/gtest.h>

#include "takt/exceptions.hpp"

namespace takt {
namespace {

using namespace std::chrono_literals;

TEST(QoSTest, StartsAsRos2Does) {
  const QoS qos = 10;
  EXPECT_EQ(qos.reliability(), Reliability::reliable);
  EXPECT_EQ(qos.durability(), Durability::volatile_);
  EXPECT_EQ(qos.history(), History::keep_last);
  EXPECT_EQ(qos.depth(), 10u);
  EXPECT_EQ(qos.liveliness(), Liveliness::system_default);
  EXPECT_EQ(to_string(qos), "reliable, volatile, keep_last 10");
}

TEST(QoSTest, SettersChain) {
  const QoS qos = QoS(1)
                      .best_effort()
                      .transient_local()
                      .deadline(20ms)
                      .lifespan(1s)
                      .liveliness(Liveliness::manual_by_topic)
                      .liveliness_lease_duration(3s);
  EXPECT_EQ(qos.reliability(), Reliability::best_effort);
  EXPECT_EQ(qos.durability(), Durability::transient_local);
  EXPECT_EQ(qos.deadline(), 20ms);
  EXPECT_EQ(qos.lifespan(), 1s);
  EXPECT_EQ(qos.liveliness(), Liveliness::manual_by_topic);
  EXPECT_EQ(qos.liveliness_lease_duration(), 3s);
}

TEST(QoSTest, EveryQueueIsBounded) {
  EXPECT_EQ(QoS(7).queue_depth(), 7u);
  EXPECT_EQ(QoS(7).keep_all().queue_depth(), QoS::keep_all_bound);
  EXPECT_EQ(system_defaults_qos().queue_depth(), 1u);
}

TEST(QoSTest, RefusesWhatMakesNoSense) {
  EXPECT_THROW(QoS(0), Error);
  EXPECT_THROW(QoS(-1), Error);
  EXPECT_THROW(QoS(1).deadline(-1ms), Error);
}

TEST(QoSTest, Compares) {
  EXPECT_EQ(QoS(5), QoS(5));
  EXPECT_FALSE(QoS(5) == QoS(6));
  EXPECT_FALSE(QoS(5) == QoS(5).deadline(1s));
  EXPECT_EQ(sensor_data_qos(), QoS(5).best_effort());
}

}  // namespace
}  // namespace takt
