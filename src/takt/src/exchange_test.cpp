// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt/exchange.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <std_msgs/msg/string.hpp>
#include <std_msgs/msg/u_int64.hpp>
#include <vector>

namespace takt {
namespace {

using std_msgs::msg::String;
using std_msgs::msg::UInt64;
using namespace std::chrono_literals;

/// A reader that counts its arrivals.
template <typename T = UInt64>
struct Reader {
  explicit Reader(const QoS & qos)
      : inside(
            message_type<T>(), qos, [](void * self) { ++static_cast<Reader *>(self)->arrivals; },
            this) {}
  std::vector<std::uint64_t> take_all(model::Time now = 0) {
    std::vector<std::uint64_t> values;
    for (InsideMessage message; inside.pop(message, now);) {
      values.push_back(static_cast<const UInt64 *>(message.message.get())->data);
    }
    return values;
  }

  int arrivals = 0;
  InsideReader inside;
};

struct Writer {
  explicit Writer(const QoS & qos) : inside(message_type<UInt64>(), qos, Gid{}, PoolRule::drop) {}
  void write(std::uint64_t value, model::Time now = 0) {
    auto message = std::static_pointer_cast<UInt64>(inside.pool().take());
    ASSERT_NE(message, nullptr);
    message->data = value;
    inside.write(std::move(message), now, now + 1000);
  }
  InsideWriter inside;
};

using Values = std::vector<std::uint64_t>;

TEST(ExchangeTest, ReadersOfOneTopicShareOneMessage) {
  Exchange exchange;
  Writer writer(QoS(1));
  Reader a(QoS(1));
  Reader b(QoS(1));
  exchange.join("/t", writer.inside);
  exchange.join("/t", a.inside);
  exchange.join("/t", b.inside);
  writer.write(7);
  InsideMessage of_a;
  InsideMessage of_b;
  ASSERT_TRUE(a.inside.pop(of_a, 0));
  ASSERT_TRUE(b.inside.pop(of_b, 0));
  EXPECT_EQ(of_a.message.get(), of_b.message.get());
  EXPECT_EQ(a.arrivals, 1);
}

TEST(ExchangeTest, KeepsTheLastInOrderAndCountsTheRest) {
  Exchange exchange;
  Writer writer(QoS(1));
  Reader reader(QoS(3));
  exchange.join("/t", writer.inside);
  exchange.join("/t", reader.inside);
  for (std::uint64_t i = 1; i <= 5; ++i) writer.write(i);
  EXPECT_EQ(reader.take_all(), (Values{3, 4, 5}));
  EXPECT_EQ(reader.inside.lost(), 2u);
}

TEST(ExchangeTest, ThePoolHasAMessageForEveryPlaceOfEveryQueue) {
  Exchange exchange;
  Writer writer(QoS(4).transient_local());
  Reader a(QoS(3));
  Reader b(QoS(2));
  exchange.join("/t", a.inside);
  exchange.join("/t", writer.inside);
  exchange.join("/t", b.inside);
  // Each reader holds one message in addition to its full queue.
  for (std::uint64_t i = 0; i < 10; ++i) writer.write(i);
  InsideMessage held_by_a;
  InsideMessage held_by_b;
  ASSERT_TRUE(a.inside.pop(held_by_a, 0));
  ASSERT_TRUE(b.inside.pop(held_by_b, 0));
  for (std::uint64_t i = 0; i < 10; ++i) writer.write(i);
  EXPECT_EQ(writer.inside.pool().exhausted(), 0u);
}

TEST(ExchangeTest, MatchesByTopicTypeAndQos) {
  Exchange exchange;
  Writer best_effort(QoS(1).best_effort());
  Writer reliable(QoS(1));
  Reader reader(QoS(5));
  Reader tolerant(QoS(5).best_effort());
  Reader elsewhere(QoS(5));
  Reader<String> of_text(QoS(5));
  exchange.join("/t", best_effort.inside);
  exchange.join("/t", reliable.inside);
  exchange.join("/t", reader.inside);
  exchange.join("/t", tolerant.inside);
  exchange.join("/other", elsewhere.inside);
  exchange.join("/t", of_text.inside);
  best_effort.write(1);
  reliable.write(2);
  EXPECT_EQ(reader.take_all(), (Values{2}));
  EXPECT_EQ(tolerant.take_all(), (Values{1, 2}));
  EXPECT_EQ(elsewhere.arrivals, 0);
  EXPECT_EQ(of_text.arrivals, 0);
  EXPECT_EQ(best_effort.inside.readers(), 1u);
  EXPECT_EQ(exchange.writers_of("/t", reader.inside), 1u);
  EXPECT_EQ(exchange.writers_of("/t", tolerant.inside), 2u);
}

TEST(ExchangeTest, VolatileDoesNotMatchWhoWantsHistory) {
  Exchange exchange;
  Writer writer(QoS(1));
  Reader reader(QoS(1).transient_local());
  exchange.join("/t", writer.inside);
  exchange.join("/t", reader.inside);
  EXPECT_EQ(writer.inside.readers(), 0u);
}

TEST(ExchangeTest, LateReadersGetWhatIsRetained) {
  Exchange exchange;
  Writer writer(QoS(2).transient_local());
  exchange.join("/t", writer.inside);
  EXPECT_TRUE(writer.inside.wanted());
  writer.inside.pool().reserve(3);
  for (std::uint64_t i = 1; i <= 3; ++i) writer.write(i);
  Reader late(QoS(5).transient_local());
  Reader indifferent(QoS(5));
  exchange.join("/t", late.inside);
  exchange.join("/t", indifferent.inside);
  EXPECT_EQ(late.arrivals, 2);
  EXPECT_EQ(late.take_all(), (Values{2, 3}));
  EXPECT_EQ(indifferent.take_all(), Values{});
}

TEST(ExchangeTest, WhoHasLeftGetsNothing) {
  Exchange exchange;
  Writer writer(QoS(1));
  Reader reader(QoS(1));
  exchange.join("/t", writer.inside);
  exchange.join("/t", reader.inside);
  exchange.leave("/t", reader.inside);
  EXPECT_FALSE(writer.inside.wanted());
  writer.inside.pool().reserve(1);
  writer.write(1);
  EXPECT_EQ(reader.arrivals, 0);
  exchange.leave("/t", writer.inside);
  exchange.leave("/t", writer.inside);
}

TEST(ExchangeTest, ExpiredMessagesAreNotDelivered) {
  Exchange exchange;
  Writer writer(QoS(1).lifespan(10ns));
  Reader reader(QoS(5));
  exchange.join("/t", writer.inside);
  exchange.join("/t", reader.inside);
  writer.write(1, 100);
  writer.write(2, 105);
  EXPECT_EQ(reader.take_all(112), (Values{2}));
  EXPECT_EQ(reader.inside.lost(), 1u);
}

TEST(ExchangeTest, AReaderMayWantOnlyWhatWasPublishedUntilAnInstant) {
  Exchange exchange;
  Writer writer(QoS(1));
  Reader reader(QoS(2));
  exchange.join("/t", writer.inside);
  exchange.join("/t", reader.inside);
  writer.write(1, 40);
  writer.write(2, 50);
  InsideMessage message;
  EXPECT_FALSE(reader.inside.pop(message, 0, 1039));
  ASSERT_TRUE(reader.inside.pop(message, 0, 1040));
  EXPECT_EQ(message.source_timestamp, 1040);
  EXPECT_FALSE(reader.inside.pop(message, 0, 1040));
  ASSERT_TRUE(reader.inside.pop(message, 0));
  EXPECT_EQ(message.sequence, 2u);
}

TEST(ExchangeTest, SequenceCountsTheMessagesOfAWriter) {
  Exchange exchange;
  Writer writer(QoS(1));
  Reader reader(QoS(2));
  exchange.join("/t", writer.inside);
  exchange.join("/t", reader.inside);
  writer.write(1, 40);
  writer.write(2, 50);
  InsideMessage message;
  ASSERT_TRUE(reader.inside.pop(message, 0));
  EXPECT_EQ(message.sequence, 1u);
  EXPECT_EQ(message.published, 40);
  ASSERT_TRUE(reader.inside.pop(message, 0));
  EXPECT_EQ(message.sequence, 2u);
}

}  // namespace
}  // namespace takt
