// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// Messages from publishers to subscriptions, inside the process and through the middleware.
#include <gtest/gtest.h>

#include <memory>
#include <std_msgs/msg/string.hpp>
#include <std_msgs/msg/u_int64.hpp>
#include <vector>

#include "takt/exceptions.hpp"
#include "takt/takt.hpp"
#include "testing/messages.hpp"
#include "testing/seen.hpp"
#include "testing/two_contexts.hpp"

namespace takt {
namespace {

using std_msgs::msg::String;
using std_msgs::msg::UInt64;
using testing::eventually;
using testing::number;
using testing::Seen;

template <typename Executor>
using PublishSubscribeTest = testing::TwoContexts<Executor>;
TYPED_TEST_SUITE(PublishSubscribeTest, testing::Executors);

TYPED_TEST(PublishSubscribeTest, InsideALoanedMessageArrivesAtItsOwnAddress) {
  Seen<const void *> a;
  Seen<const void *> b;
  Seen<const void *> c;
  const auto sub_a = this->node_->template create_subscription<UInt64>(
      "t", 1, [&](const UInt64 & message) { a.add(&message); });
  const auto sub_b = this->node_->template create_subscription<UInt64>(
      "t", 1, [&](std::shared_ptr<const UInt64> message) { b.add(message.get()); });
  const auto sub_c = this->node_->template create_subscription<UInt64>(
      "t", 1, [&](const std::shared_ptr<const UInt64> & message, const MessageInfo &) {
        c.add(message.get());
      });
  const auto pub = this->node_->template create_publisher<UInt64>("t", 1);
  auto loan = pub->borrow_loaned_message();
  const void * const address = &loan.get();
  loan->data = 3;
  pub->publish(std::move(loan));
  EXPECT_EQ(a.wait_for(1).at(0), address);
  EXPECT_EQ(b.wait_for(1).at(0), address);
  EXPECT_EQ(c.wait_for(1).at(0), address);
  EXPECT_EQ(pub->get_intra_process_subscription_count(), 3u);
}

TYPED_TEST(PublishSubscribeTest, InsideAUniqueMessageArrivesAtItsOwnAddress) {
  Seen<const void *> seen;
  const auto sub = this->node_->template create_subscription<String>(
      "t", 1, [&](const String & message) { seen.add(&message); });
  const auto pub = this->node_->template create_publisher<String>("t", 1);
  auto message = std::make_unique<String>();
  const void * const address = message.get();
  pub->publish(std::move(message));
  EXPECT_EQ(seen.wait_for(1).at(0), address);
}

TYPED_TEST(PublishSubscribeTest, InsideAConstantMessageIsCopied) {
  Seen<std::pair<const void *, std::uint64_t>> seen;
  const auto sub = this->node_->template create_subscription<UInt64>(
      "t", 1, [&](const UInt64 & message) { seen.add({&message, message.data}); });
  const auto pub = this->node_->template create_publisher<UInt64>("t", 1);
  const UInt64 message = number(8);
  pub->publish(message);
  const auto [address, value] = seen.wait_for(1).at(0);
  EXPECT_NE(address, &message);
  EXPECT_EQ(value, 8u);
}

TYPED_TEST(PublishSubscribeTest, InsideMessagesComeInOrderWithWhereTheyAreFrom) {
  Seen<std::pair<std::uint64_t, MessageInfo>> seen;
  const auto sub = this->node_->template create_subscription<UInt64>(
      "t", 100,
      [&](const UInt64 & message, const MessageInfo & info) { seen.add({message.data, info}); });
  const auto pub = this->node_->template create_publisher<UInt64>("t", 100);
  for (std::uint64_t i = 0; i < 50; ++i) pub->publish(number(i));
  const auto values = seen.wait_for(50);
  ASSERT_EQ(values.size(), 50u);
  for (std::uint64_t i = 0; i < 50; ++i) {
    EXPECT_EQ(values[i].first, i);
    EXPECT_TRUE(values[i].second.from_intra_process);
    EXPECT_EQ(values[i].second.publication_sequence_number, i + 1);
    EXPECT_EQ(values[i].second.publisher_gid, pub->get_gid());
    EXPECT_GT(values[i].second.published, 0);
    EXPECT_GT(values[i].second.source_timestamp, 0);
  }
  EXPECT_TRUE(eventually([&] { return sub->delivered() == 50u; }));
  EXPECT_EQ(sub->lost(), 0u);
}

TYPED_TEST(PublishSubscribeTest, OutsideMessagesComeThroughTheMiddleware) {
  Seen<std::pair<std::uint64_t, MessageInfo>> seen;
  const auto sub = this->node_->template create_subscription<UInt64>(
      "t", 10, [&](std::shared_ptr<const UInt64> message, const MessageInfo & info) {
        seen.add({message->data, info});
      });
  const auto pub = this->outside_->template create_publisher<UInt64>("t", 10);
  ASSERT_TRUE(eventually([&] { return pub->get_subscription_count() == 1; }));
  ASSERT_TRUE(eventually([&] { return sub->get_publisher_count() == 1; }));
  for (std::uint64_t i = 0; i < 5; ++i) pub->publish(number(i));
  const auto values = seen.wait_for(5);
  ASSERT_EQ(values.size(), 5u);
  for (std::uint64_t i = 0; i < 5; ++i) {
    EXPECT_EQ(values[i].first, i);
    EXPECT_FALSE(values[i].second.from_intra_process);
    EXPECT_EQ(values[i].second.published, -1);
  }
  EXPECT_EQ(pub->get_intra_process_subscription_count(), 0u);
}

TYPED_TEST(PublishSubscribeTest, ReadersInsideAndOutsideGetEachMessageOnce) {
  Seen<std::uint64_t> inside;
  Seen<std::uint64_t> outside;
  testing::Background<TypeParam> background(this->other_);
  background.add(this->outside_);
  background.start();
  const auto sub_inside = this->node_->template create_subscription<UInt64>(
      "t", 20, [&](const UInt64 & message) { inside.add(message.data); });
  const auto sub_outside = this->outside_->template create_subscription<UInt64>(
      "t", 20, [&](const UInt64 & message) { outside.add(message.data); });
  const auto pub = this->node_->template create_publisher<UInt64>("t", 20);
  ASSERT_TRUE(eventually([&] { return pub->get_subscription_count() == 2; }));
  ASSERT_TRUE(eventually([&] { return sub_outside->get_publisher_count() == 1; }));
  std::vector<std::uint64_t> expected;
  for (std::uint64_t i = 0; i < 10; ++i) {
    pub->publish(number(i));
    expected.push_back(i);
  }
  EXPECT_EQ(inside.wait_for(10), expected);
  EXPECT_EQ(outside.wait_for(10), expected);
}

TYPED_TEST(PublishSubscribeTest, ASubscriptionMayAskForTheMiddleware) {
  Seen<MessageInfo> seen;
  const auto sub = this->node_->template create_subscription<UInt64>(
      "t", 1, [&](const UInt64 &, const MessageInfo & info) { seen.add(info); },
      {.intra_process = false});
  const auto pub = this->node_->template create_publisher<UInt64>("t", 1);
  ASSERT_TRUE(eventually([&] { return pub->get_subscription_count() == 1; }));
  pub->publish(number(1));
  EXPECT_FALSE(seen.wait_for(1).at(0).from_intra_process);
  EXPECT_EQ(pub->get_intra_process_subscription_count(), 0u);
}

TYPED_TEST(PublishSubscribeTest, LateJoinersGetWhatWasRetainedInsideAndOutside) {
  const QoS qos = QoS(2).transient_local();
  const auto pub = this->node_->template create_publisher<UInt64>("t", qos);
  for (std::uint64_t i = 1; i <= 3; ++i) pub->publish(number(i));
  Seen<std::uint64_t> inside;
  Seen<std::uint64_t> outside;
  const auto sub = this->node_->template create_subscription<UInt64>(
      "t", qos, [&](const UInt64 & message) { inside.add(message.data); });
  testing::Background<TypeParam> background(this->other_);
  background.add(this->outside_);
  background.start();
  const auto sub_outside = this->outside_->template create_subscription<UInt64>(
      "t", qos, [&](const UInt64 & message) { outside.add(message.data); });
  EXPECT_EQ(inside.wait_for(2), (std::vector<std::uint64_t>{2, 3}));
  EXPECT_EQ(outside.wait_for(2), (std::vector<std::uint64_t>{2, 3}));
}

TYPED_TEST(PublishSubscribeTest, AKeptMessageStaysAsItIs) {
  Seen<std::shared_ptr<const UInt64>> seen;
  const auto sub = this->node_->template create_subscription<UInt64>(
      "t", 10, [&](std::shared_ptr<const UInt64> message) { seen.add(std::move(message)); });
  const auto pub = this->node_->template create_publisher<UInt64>("t", 10);
  for (std::uint64_t i = 0; i < 40; ++i) {
    auto loan = pub->borrow_loaned_message();
    ASSERT_TRUE(loan.is_valid());
    loan->data = i;
    pub->publish(std::move(loan));
    seen.wait_for(i + 1);
  }
  const auto kept = seen.wait_for(40);
  ASSERT_EQ(kept.size(), 40u);
  for (std::uint64_t i = 0; i < 40; ++i) EXPECT_EQ(kept[i]->data, i);
  EXPECT_GT(pub->pool_exhausted(), 0u);
}

TYPED_TEST(PublishSubscribeTest, DroppingPoolLendsNothingWhenItIsExhausted) {
  Seen<std::shared_ptr<const UInt64>> seen;
  const auto sub = this->node_->template create_subscription<UInt64>(
      "t", 1, [&](std::shared_ptr<const UInt64> message) { seen.add(std::move(message)); });
  const auto pub =
      this->node_->template create_publisher<UInt64>("t", 1, {.when_exhausted = PoolRule::drop});
  std::vector<LoanedMessage<UInt64>> loans;
  while (loans.size() < 100) {
    auto loan = pub->borrow_loaned_message();
    if (!loan.is_valid()) break;
    loans.push_back(std::move(loan));
  }
  EXPECT_EQ(loans.size(), 3u);  // one for the queue, one for the reader, one for the writer
  pub->publish(number(9));      // the pool has no free message
  EXPECT_EQ(pub->pool_exhausted(), 2u);
  loans.pop_back();
  pub->publish(number(10));
  EXPECT_EQ(seen.wait_for(1).at(0)->data, 10u);
}

TYPED_TEST(PublishSubscribeTest, NamesAreResolvedAndBadOnesRefused) {
  const auto pub = this->node_->template create_publisher<UInt64>("~/scan", 1);
  EXPECT_STREQ(pub->get_topic_name(), "/node/scan");
  EXPECT_EQ(this->node_->resolve_topic_name("scan"), "/scan");
  EXPECT_THROW(this->node_->template create_publisher<UInt64>("no good", 1), NameError);
  EXPECT_THROW(this->node_->template create_subscription<UInt64>("1bad", 1, [](const UInt64 &) {}),
               NameError);
}

TYPED_TEST(PublishSubscribeTest, TheGraphIsCounted) {
  const auto pub = this->node_->template create_publisher<UInt64>("t", 1);
  const auto sub = this->node_->template create_subscription<UInt64>("t", 1, [](const UInt64 &) {});
  const auto outside = this->outside_->template create_publisher<UInt64>("t", 1);
  EXPECT_TRUE(eventually([&] { return this->node_->count_publishers("t") == 2; }));
  EXPECT_TRUE(eventually([&] { return this->outside_->count_subscribers("t") == 1; }));
  EXPECT_TRUE(eventually([&] { return sub->get_publisher_count() == 2; }));
  EXPECT_EQ(pub->get_actual_qos().depth(), 1u);
  EXPECT_EQ(sub->get_actual_qos().reliability(), Reliability::reliable);
}

TYPED_TEST(PublishSubscribeTest, AfterShutdownPublishingDoesNothing) {
  const auto pub = this->node_->template create_publisher<UInt64>("t", 1);
  this->context_->shutdown();
  pub->publish(number(1));
  pub->publish(std::make_unique<UInt64>());
  pub->publish(pub->borrow_loaned_message());
  EXPECT_EQ(pub->failures(), 0u);
  EXPECT_EQ(pub->get_subscription_count(), 0u);
}

}  // namespace
}  // namespace takt
