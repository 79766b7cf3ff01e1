// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// Items that arrived before an executor began to listen are delivered, whatever the middleware
// announces afterwards. listening_replacements.cpp makes it announce nothing.
#include <gtest/gtest.h>
#include <rcl/client.h>
#include <rcl/event.h>
#include <rcl/service.h>
#include <rcl/subscription.h>

#include <std_msgs/msg/u_int64.hpp>
#include <takt_msgs/srv/echo.hpp>
#include <vector>

#include "takt/takt.hpp"
#include "takt_core/tasks/testing/silent_listening.hpp"
#include "testing/background.hpp"
#include "testing/messages.hpp"
#include "testing/seen.hpp"

namespace takt {
namespace {

using namespace std::chrono_literals;
using std_msgs::msg::UInt64;
using takt_msgs::srv::Echo;
using testing::eventually;
using testing::number;
using testing::patience;
using testing::Seen;

class ListeningTest : public ::testing::Test {
 protected:
  static std::shared_ptr<Node> node(const std::string & name, std::shared_ptr<Context> context) {
    return std::make_shared<Node>(name, NodeOptions{.context = std::move(context)});
  }

  std::shared_ptr<Context> context_ = testing::make_context();
  std::shared_ptr<Node> node_ = node("node", context_);
  std::shared_ptr<Context> other_ = testing::make_context();
  std::shared_ptr<Node> outside_ = node("outside", other_);
  testing::Background<SchedulingExecutor> background_{context_};
};

class ListeningToATopicTest : public ListeningTest, public ::testing::WithParamInterface<QoS> {
 protected:
  /// Five messages arrive before the executor of the subscription's node spins.
  void receives_what_lies_there() {
    const auto publisher = outside_->create_publisher<UInt64>("t", GetParam());
    ASSERT_TRUE(eventually([&] { return publisher->get_subscription_count() == 1; }));
    for (std::uint64_t i = 0; i < 5; ++i) publisher->publish(number(i));
    ASSERT_TRUE(publisher->wait_for_all_acked(patience));
    background_.add(node_);
    background_.start();
    EXPECT_EQ(seen_.wait_for(5), (std::vector<std::uint64_t>{0, 1, 2, 3, 4}));
  }

  Seen<std::uint64_t> seen_;
  std::shared_ptr<Subscription<UInt64>> subscription_ = node_->create_subscription<UInt64>(
      "t", GetParam(), [this](const UInt64 & message) { seen_.add(message.data); });
};

TEST_P(ListeningToATopicTest, MessagesThatLieThere) {
  receives_what_lies_there();
}

TEST_P(ListeningToATopicTest, ATimerReadsWhatLiesThere) {
  const auto timer = node_->create_timer("reader", 5ms, {.reads = {{subscription_}}}, [] {});
  receives_what_lies_there();
}

INSTANTIATE_TEST_SUITE_P(OfEachHistory, ListeningToATopicTest,
                         ::testing::Values(QoS(10), QoS(10).keep_all()), [](const auto & of) {
                           return of.param.history() == History::keep_all ? "KeepAll" : "KeepLast";
                         });

TEST_F(ListeningTest, WhatAReaderThatHasGoneLeft) {
  Seen<std::uint64_t> seen;
  Seen<int> runs;
  const auto subscription = node_->create_subscription<UInt64>(
      "t", 10, [&](const UInt64 & message) { seen.add(message.data); });
  auto timer = node_->create_timer("reader", 1h, {.reads = {{subscription}}}, [&] { runs.add(1); });
  const auto publisher = outside_->create_publisher<UInt64>("t", 10);
  ASSERT_TRUE(eventually([&] { return publisher->get_subscription_count() == 1; }));
  background_.add(node_);
  background_.start();
  ASSERT_EQ(runs.wait_for(1).size(), 1u);
  const auto publish = [&](std::uint64_t value) {
    publisher->publish(number(value));
    EXPECT_TRUE(publisher->wait_for_all_acked(patience));
  };
  for (std::uint64_t i = 0; i < 3; ++i) publish(i);
  timer.reset();
  EXPECT_EQ(seen.wait_for(3), (std::vector<std::uint64_t>{0, 1, 2}));
  publish(3);
  EXPECT_EQ(seen.wait_for(4).back(), 3u);
}

TEST_F(ListeningTest, RequestsAndResponsesThatLieThere) {
  const auto service = node_->create_service<Echo>(
      "echo", [](const Echo::Request & q, Echo::Response & a) { a.sequence = q.sequence; });
  const auto client = outside_->create_client<Echo>("echo");
  ASSERT_TRUE(client->wait_for_service(patience));
  const auto request = std::make_shared<Echo::Request>();
  request->sequence = 7;
  auto answer = client->async_send_request(request);
  background_.add(node_);
  background_.start();
  // The client's executor starts when the response has arrived. That cannot be observed directly,
  // but the response to a second request, which is sent later, has been received.
  const auto third = testing::make_context();
  const auto other_node = node("other", third);
  testing::Background<SchedulingExecutor> other(third);
  other.add(other_node);
  other.start();
  const auto later = other_node->create_client<Echo>("echo");
  ASSERT_TRUE(later->wait_for_service(patience));
  ASSERT_EQ(later->async_send_request(request).wait_for(patience), std::future_status::ready);
  testing::Background<SchedulingExecutor> asking(other_);
  asking.add(outside_);
  asking.start();
  ASSERT_EQ(answer.wait_for(patience), std::future_status::ready);
  EXPECT_EQ(answer.get()->sequence, 7u);
}

TEST_F(ListeningTest, EventsThatHaveHappened) {
  Seen<std::size_t> matched;
  const auto publisher = node_->create_publisher<UInt64>(
      "t", 1, {.event_callbacks = {.matched = [&](MatchedInfo & info) {
                 matched.add(info.current_count);
               }}});
  const auto reader = outside_->create_subscription<UInt64>("t", 1, [](const UInt64 &) {});
  // The publisher is not queried: rmw_cyclonedds would count its match as reported.
  ASSERT_TRUE(eventually([&] { return reader->get_publisher_count() == 1; }));
  background_.add(node_);
  background_.start();
  EXPECT_TRUE(matched.wait_for_value(1));
}

/// The notification function must be set before the first event: later the middleware may deadlock,
/// because it takes its locks in the opposite order when a deadline is missed.
TEST_F(ListeningTest, EventsAreListenedToBeforeAnyCanHappen) {
  Seen<int> missed;
  const auto publisher = node_->create_publisher<UInt64>(
      "t", QoS(1).deadline(20ms),
      {.event_callbacks = {.deadline = [&](DeadlineOfferedInfo &) { missed.add(1); }}});
  const int before = testing::times_listened<rcl_event_t>;
  EXPECT_GT(before, 0);
  publisher->publish(number(1));
  background_.add(node_);
  background_.start();
  EXPECT_GE(missed.wait_for(2).size(), 2u);
  EXPECT_EQ(testing::times_listened<rcl_event_t>, before);
}

TEST_F(ListeningTest, EventsAreToldToWhoeverTakesTheNodeOver) {
  Seen<std::size_t> matched;
  const auto publisher = node_->create_publisher<UInt64>(
      "t", 1, {.event_callbacks = {.matched = [&](MatchedInfo & info) {
                 matched.add(info.current_count);
               }}});
  {
    testing::Background<SchedulingExecutor> first(context_);
    first.add(node_);
    first.start();
  }
  const auto reader = outside_->create_subscription<UInt64>("t", 1, [](const UInt64 &) {});
  ASSERT_TRUE(eventually([&] { return reader->get_publisher_count() == 1; }));
  background_.add(node_);
  background_.start();
  EXPECT_TRUE(matched.wait_for_value(1));
}

}  // namespace
}  // namespace takt
