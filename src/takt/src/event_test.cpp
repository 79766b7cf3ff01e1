// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt/event.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <std_msgs/msg/u_int64.hpp>
#include <string>
#include <vector>

#include "takt/takt.hpp"
#include "testing/seen.hpp"
#include "testing/two_contexts.hpp"

namespace takt {
namespace {

using namespace std::chrono_literals;
using std_msgs::msg::UInt64;
using testing::Seen;

template <typename Executor>
using EventTest = testing::TwoContexts<Executor>;
TYPED_TEST_SUITE(EventTest, testing::Executors);

TYPED_TEST(EventTest, Matched) {
  Seen<std::pair<std::size_t, int>> of_publisher;
  Seen<std::pair<std::size_t, int>> of_subscription;
  const auto publisher = this->node_->template create_publisher<UInt64>(
      "p", 1, {.event_callbacks = {.matched = [&](MatchedInfo & info) {
                 of_publisher.add({info.current_count, info.current_count_change});
               }}});
  const auto subscription = this->node_->template create_subscription<UInt64>(
      "s", 1, [](const UInt64 &) {},
      {.event_callbacks = {.matched = [&](MatchedInfo & info) {
         of_subscription.add({info.current_count, info.current_count_change});
       }}});
  auto reader = this->outside_->template create_subscription<UInt64>("p", 1, [](const UInt64 &) {});
  auto writer = this->outside_->template create_publisher<UInt64>("s", 1);
  EXPECT_TRUE(of_publisher.wait_for_value({1, 1}));
  EXPECT_TRUE(of_subscription.wait_for_value({1, 1}));
  reader.reset();
  writer.reset();
  EXPECT_TRUE(of_publisher.wait_for_value({0, -1}));
  EXPECT_TRUE(of_subscription.wait_for_value({0, -1}));
}

TYPED_TEST(EventTest, IncompatibleQos) {
  Seen<rmw_qos_policy_kind_t> offered;
  Seen<rmw_qos_policy_kind_t> requested;
  const auto publisher = this->node_->template create_publisher<UInt64>(
      "t", QoS(1).best_effort(),
      {.event_callbacks = {.incompatible_qos = [&](IncompatibleQosInfo & info) {
         offered.add(info.last_policy_kind);
       }}});
  int received = 0;
  const auto subscription = this->node_->template create_subscription<UInt64>(
      "t", QoS(1).reliable(), [&](const UInt64 &) { ++received; },
      {.event_callbacks = {.incompatible_qos = [&](IncompatibleQosInfo & info) {
         requested.add(info.last_policy_kind);
       }}});
  EXPECT_EQ(offered.wait_for(1).at(0), RMW_QOS_POLICY_RELIABILITY);
  EXPECT_EQ(requested.wait_for(1).at(0), RMW_QOS_POLICY_RELIABILITY);
  publisher->publish(UInt64());
  EXPECT_EQ(publisher->get_intra_process_subscription_count(), 0u);
  EXPECT_EQ(received, 0);
}

TYPED_TEST(EventTest, SeveralThatComeAtOnceAreToldOnce) {
  Seen<std::pair<int, int>> seen;
  const auto subscription = this->node_->template create_subscription<UInt64>(
      "t", QoS(1).reliable(), [](const UInt64 &) {},
      {.event_callbacks = {.incompatible_qos = [&](IncompatibleQosInfo & info) {
         seen.add({info.total_count, info.total_count_change});
       }}});
  std::vector<std::shared_ptr<Publisher<UInt64>>> publishers;
  for (int i = 0; i < 5; ++i) {
    publishers.push_back(
        this->outside_->template create_publisher<UInt64>("t", QoS(1).best_effort()));
  }
  EXPECT_TRUE(testing::eventually([&] {
    const auto last = seen.wait_for(1);
    return !last.empty() && last.back().first == 5;
  }));
  // The middleware may announce again a change that was already taken with an earlier one. The job
  // of such an announcement must not call the function.
  this->background_.stop();
  for (const auto & callback : this->node_->base()->callbacks()) {
    if (callback->id() == "node/t.incompatible_qos") callback->execute(JobInfo());
  }
  int sum = 0;
  for (const auto & [total, change] : seen.wait_for(1)) {
    EXPECT_GT(change, 0);
    sum += change;
  }
  EXPECT_EQ(sum, 5);
}

// The middlewares used in the tests do not report this event: with Fast DDS 2.14, rclpy does not
// receive it either.
TYPED_TEST(EventTest, IncompatibleTypesMayBeWatched) {
  const auto ignore = [](IncompatibleTypeInfo &) {};
  const auto publisher = this->node_->template create_publisher<UInt64>(
      "p", 1, {.event_callbacks = {.incompatible_type = ignore}});
  const auto subscription = this->node_->template create_subscription<UInt64>(
      "s", 1, [](const UInt64 &) {}, {.event_callbacks = {.incompatible_type = ignore}});
  std::vector<std::string> names;
  for (const auto & callback : this->node_->base()->callbacks()) names.push_back(callback->id());
  EXPECT_THAT(names,
              ::testing::IsSupersetOf({"node/p.incompatible_type", "node/s.incompatible_type"}));
}

/// Waits until a publisher and a subscription have missed their deadline `count` times each.
void expect_misses(Node & node, Duration deadline, std::size_t count) {
  Seen<int> offered;
  Seen<int> requested;
  const QoS qos = QoS(1).deadline(deadline);
  const auto publisher = node.create_publisher<UInt64>(
      "t", qos, {.event_callbacks = {.deadline = [&](DeadlineOfferedInfo & info) {
                   offered.add(info.total_count);
                 }}});
  const auto subscription = node.create_subscription<UInt64>(
      "t", qos, [](const UInt64 &) {},
      {.event_callbacks = {
           .deadline = [&](DeadlineRequestedInfo & info) { requested.add(info.total_count); }}});
  publisher->publish(UInt64());
  EXPECT_GE(offered.wait_for(count).size(), count);
  EXPECT_GE(requested.wait_for(count).size(), count);
}

TYPED_TEST(EventTest, MissedDeadlines) {
  expect_misses(*this->node_, 20ms, 1);
}

// An event that has been taken is not taken again: rmw_fastrtps would then lock the writer, and if
// the next deadline is missed at that moment, both threads deadlock.
TYPED_TEST(EventTest, DeadlinesAreMissedOneAfterAnother) {
  expect_misses(*this->node_, 1ms, 1000);
}

TYPED_TEST(EventTest, Liveliness) {
  Seen<int> alive;
  Seen<int> lost;
  // Long enough for the subscription to see the publisher alive before it is lost, even on a slow
  // host: of two changes in quick succession, only the last is reported.
  const QoS qos = QoS(1).liveliness(Liveliness::manual_by_topic).liveliness_lease_duration(500ms);
  const auto publisher = this->node_->template create_publisher<UInt64>(
      "t", qos, {.event_callbacks = {.liveliness = [&](LivelinessLostInfo & info) {
                   lost.add(info.total_count);
                 }}});
  const auto subscription = this->node_->template create_subscription<UInt64>(
      "t", qos, [](const UInt64 &) {},
      {.event_callbacks = {
           .liveliness = [&](LivelinessChangedInfo & info) { alive.add(info.alive_count); }}});
  publisher->assert_liveliness();
  EXPECT_GE(lost.wait_for(1).size(), 1u);
  EXPECT_TRUE(alive.wait_for_value(1));
  EXPECT_TRUE(alive.wait_for_value(0));
}

TYPED_TEST(EventTest, DestroyedFromItsOwnCallback) {
  Seen<int> seen;
  std::shared_ptr<Publisher<UInt64>> publisher;
  publisher = this->node_->template create_publisher<UInt64>(
      "p", 1, {.event_callbacks = {.matched = [&](MatchedInfo &) {
                 publisher.reset();
                 seen.add(1);
               }}});
  const auto reader =
      this->outside_->template create_subscription<UInt64>("p", 1, [](const UInt64 &) {});
  EXPECT_EQ(seen.wait_for(1).size(), 1u);
  EXPECT_TRUE(testing::eventually([&] { return reader->get_publisher_count() == 0; }));
}

}  // namespace
}  // namespace takt
