// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "transports/one_way_ends.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace takt::lab {
namespace {

using ::testing::ElementsAre;

/// A party that notes what it sends.
class Noting : public Party {
 public:
  explicit Noting(std::vector<std::uint64_t> & sent) : sent_(sent) {}
  void send(std::uint64_t sequence) override { sent_.push_back(sequence); }
  bool matched() override { return true; }
  nlohmann::ordered_json qos() const override { return {}; }

 private:
  std::vector<std::uint64_t> & sent_;
};

template <typename Row>
std::vector<Row> rows_of(RowRing<Row> & ring) {
  std::vector<Row> rows;
  for (Row row; ring.pop(row);) rows.push_back(row);
  return rows;
}

TEST(SizeTurnsTest, EverySizeHasItsTurnAgainAndAgain) {
  const SizeTurns turns(3, 2);
  std::vector<std::size_t> sizes;
  for (std::uint64_t sequence = 0; sequence < 8; ++sequence)
    sizes.push_back(turns.size_of(sequence));
  EXPECT_THAT(sizes, ElementsAre(0, 0, 1, 1, 2, 2, 0, 0));
  EXPECT_EQ(turns.turn_of(7), 3U);
}

TEST(OneWaySenderTest, MessagesOfTheWindowAreRecordedAndEachGoesOutByThePartyOfItsSize) {
  RowRing<SentRow> rows(16);
  RowRing<CpuRow> cpu(16);
  OneWaySender sender(10, {100, 200}, {2, 2}, rows,
                      {{2, 2}, [used = 0]() mutable { return used += 5; }, cpu});
  std::vector<std::uint64_t> small;
  std::vector<std::uint64_t> large;
  Noting first(small);
  Noting second(large);
  sender.begin({&first, &second}, 1'000, {1'020, 1'060});
  for (std::uint64_t sequence = 0; sequence < 10; ++sequence) sender.tick(sequence);
  EXPECT_THAT(small, ElementsAre(0, 1, 4, 5));
  EXPECT_THAT(large, ElementsAre(2, 3));
  const std::vector<SentRow> sent = rows_of(rows);
  ASSERT_EQ(sent.size(), 4U);
  EXPECT_EQ(sent[0].sequence, 2U);
  EXPECT_EQ(sent[0].bytes, 200);
  EXPECT_EQ(sent[0].intended, 1'020);
  EXPECT_EQ(sent[3].bytes, 100);
  for (const SentRow & row : sent) EXPECT_LE(row.sent, row.returned);
  std::vector<std::pair<std::uint64_t, std::int64_t>> used;
  for (const CpuRow & row : rows_of(cpu)) used.emplace_back(row.turn, row.cpu);
  EXPECT_THAT(used, ElementsAre(std::pair(0, 5), std::pair(1, 10), std::pair(2, 15)));
}

TEST(OneWayReceiversTest, AMessageIsRecordedWithItsReceiverAndALateOneChangesNoTurn) {
  RowRing<ReceivedRow> rows(16);
  RowRing<CpuRow> cpu(16);
  OneWayReceivers receivers(rows, {{2, 2}, [] { return 7; }, cpu});
  const std::vector<std::uint8_t> payload(7);
  receivers.received(0, {2, payload});
  receivers.received(1, {1, payload});
  receivers.received(1, {4, payload});
  const std::vector<ReceivedRow> received = rows_of(rows);
  ASSERT_EQ(received.size(), 3U);
  EXPECT_EQ(received[1].sequence, 1U);
  EXPECT_EQ(received[1].receiver, 1);
  EXPECT_EQ(received[1].bytes, 7);
  EXPECT_GT(received[2].received, 0);
  std::vector<std::uint64_t> turns;
  for (const CpuRow & row : rows_of(cpu)) turns.push_back(row.turn);
  EXPECT_THAT(turns, ElementsAre(1, 2));
}

}  // namespace
}  // namespace takt::lab
