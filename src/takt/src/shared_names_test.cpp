// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// Other nodes, in the process and outside, have clients, publishers and subscriptions of the same
// name. This must not make ours lose or repeat anything.
#include <gtest/gtest.h>

#include <atomic>
#include <std_msgs/msg/u_int64.hpp>
#include <takt_msgs/srv/echo.hpp>
#include <vector>

#include "takt/takt.hpp"
#include "testing/messages.hpp"
#include "testing/seen.hpp"
#include "testing/two_contexts.hpp"

namespace takt {
namespace {

using namespace std::chrono_literals;
using std_msgs::msg::UInt64;
using takt_msgs::srv::Echo;
using testing::eventually;
using testing::number;
using testing::patience;
using testing::request;
using testing::Seen;
using Values = std::vector<std::uint64_t>;

/// Repeats the request until there is a response: a service may not have discovered a client that
/// has discovered it.
bool connect(Client<Echo> & client) {
  return client.wait_for_service(patience) && eventually([&] {
           auto asked = client.async_send_request(request(0));
           if (asked.wait_for(100ms) == std::future_status::ready) return true;
           client.remove_pending_request(asked);
           return false;
         });
}

template <typename Executor>
using SharedNamesTest = testing::TwoContexts<Executor>;
TYPED_TEST_SUITE(SharedNamesTest, testing::Executors);

TYPED_TEST(SharedNamesTest, ClientsThatWaitForTheirAnswersBeforeTheyAskAgainGoOn) {
  constexpr std::uint64_t rounds = 300;
  testing::Background<TypeParam> elsewhere(this->other_);
  elsewhere.add(this->outside_);
  elsewhere.start();
  const auto service = this->outside_->template create_service<Echo>(
      "echo", [](const Echo::Request & q, Echo::Response & a) { a.sequence = q.sequence; });
  // A client's queue also receives responses to other clients. It is deep enough for them not to
  // replace its own.
  const ClientOptions deep{.qos = QoS(2 * rounds)};
  const auto first = this->node_->template create_client<Echo>("echo", deep);
  const auto second = this->outside_->template create_client<Echo>("echo", deep);
  for (const auto & client : {first, second}) ASSERT_TRUE(connect(*client));
  Seen<std::uint64_t> ended;
  std::atomic<std::uint64_t> answers = 0;
  std::function<void(const Client<Echo>::SharedPtr &, std::uint64_t)> ask =
      [&](const Client<Echo>::SharedPtr & client, std::uint64_t round) {
        client->async_send_request(request(round),
                                   [&, client, round](Client<Echo>::SharedFuture future) {
                                     EXPECT_EQ(future.get()->sequence, round);
                                     ++answers;
                                     if (round == rounds) return ended.add(round);
                                     ask(client, round + 1);
                                   });
      };
  ask(first, 1);
  ask(second, 1);
  EXPECT_EQ(ended.wait_for(2).size(), 2u) << answers << " answers";
  elsewhere.stop();
  this->background_.stop();
}

TYPED_TEST(SharedNamesTest, MessagesFromInsideAndOutsideAreDeliveredOnceAndInOrder) {
  constexpr std::uint64_t outside = 1000;
  Seen<std::uint64_t> from_inside;
  Seen<std::uint64_t> from_outside;
  const auto subscription =
      this->node_->template create_subscription<UInt64>("t", 200, [&](const UInt64 & message) {
        (message.data < outside ? from_inside : from_outside).add(message.data);
      });
  // Because there is a subscription outside, the middleware also delivers copies of what is
  // published inside.
  const auto echo =
      this->outside_->template create_subscription<UInt64>("t", 200, [](const UInt64 &) {});
  const auto inside = this->node_->template create_publisher<UInt64>("t", 200);
  const auto other = this->outside_->template create_publisher<UInt64>("t", 200);
  for (const auto & publisher : {inside, other}) {
    ASSERT_TRUE(eventually([&] { return publisher->get_subscription_count() == 2; }));
  }
  Values expected_inside;
  Values expected_outside;
  for (std::uint64_t i = 0; i < 200; ++i) {
    inside->publish(number(i));
    other->publish(number(outside + i));
    expected_inside.push_back(i);
    expected_outside.push_back(outside + i);
    if (i % 50 != 0) continue;
    // Waits, because the copies of messages from inside take up places in the same queue.
    ASSERT_EQ(from_outside.wait_for(i + 1).size(), i + 1);
  }
  EXPECT_EQ(from_inside.wait_for(200), expected_inside);
  EXPECT_EQ(from_outside.wait_for(200), expected_outside);
  this->background_.stop();
  EXPECT_EQ(subscription->delivered(), 400u);
}

TYPED_TEST(SharedNamesTest, CopiesOfWhatAPublisherThatHasGonePublishedInsideAreNotDelivered) {
  Seen<std::uint64_t> seen;
  this->background_.stop();  // so that copies remain in the queue
  const auto subscription = this->node_->template create_subscription<UInt64>(
      "t", 10, [&](const UInt64 & message) { seen.add(message.data); });
  const auto echo =
      this->outside_->template create_subscription<UInt64>("t", 10, [](const UInt64 &) {});
  for (std::uint64_t i = 0; i < 4; ++i) {
    const auto publisher = this->node_->template create_publisher<UInt64>("t", 10);
    ASSERT_TRUE(eventually([&] { return publisher->get_subscription_count() == 2; }));
    publisher->publish(number(i));
  }
  this->background_.start();
  EXPECT_EQ(seen.wait_for(4), (Values{0, 1, 2, 3}));
  const auto outside = this->outside_->template create_publisher<UInt64>("t", 10);
  ASSERT_TRUE(eventually([&] { return outside->get_subscription_count() == 2; }));
  outside->publish(number(9));
  EXPECT_EQ(seen.wait_for(5), (Values{0, 1, 2, 3, 9}));
}

TYPED_TEST(SharedNamesTest, CountsMeanTheSameOnEveryMiddleware) {
  const auto inside =
      this->node_->template create_subscription<UInt64>("t", 1, [](const UInt64 &) {});
  const auto outside =
      this->outside_->template create_subscription<UInt64>("t", 1, [](const UInt64 &) {});
  const auto publisher = this->node_->template create_publisher<UInt64>("t", 1);
  EXPECT_TRUE(eventually([&] { return publisher->get_subscription_count() == 2; }));
  EXPECT_EQ(publisher->get_intra_process_subscription_count(), 1u);
  EXPECT_TRUE(eventually([&] { return inside->get_publisher_count() == 1; }));
  EXPECT_TRUE(eventually([&] { return outside->get_publisher_count() == 1; }));
}

TYPED_TEST(SharedNamesTest, AMatchInsideIsToldOnBothEnds) {
  Seen<std::size_t> of_publisher;
  Seen<std::size_t> of_subscription;
  const auto publisher = this->node_->template create_publisher<UInt64>(
      "t", 1, {.event_callbacks = {.matched = [&](MatchedInfo & info) {
                 of_publisher.add(info.current_count);
               }}});
  const auto subscription = this->node_->template create_subscription<UInt64>(
      "t", 1, [](const UInt64 &) {}, {.event_callbacks = {.matched = [&](MatchedInfo & info) {
                                        of_subscription.add(info.current_count);
                                      }}});
  EXPECT_TRUE(of_publisher.wait_for_value(1));
  EXPECT_TRUE(of_subscription.wait_for_value(1));
}

}  // namespace
}  // namespace takt
