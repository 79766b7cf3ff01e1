// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "transports/cycle_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace takt::lab {
namespace {

constexpr model::Duration spacing = 1'000;

/// A party that only records the sequence numbers that it is asked to send.
struct Sent : Party {
  void send(std::uint64_t sequence) override { all.push_back(sequence); }
  bool matched() override { return true; }
  nlohmann::ordered_json qos() const override { return {}; }
  std::vector<std::uint64_t> all;
};

struct CycleTableTest : ::testing::Test {
  RowRing<CycleRow> rows{64};
  CycleTable table{spacing, 2 * spacing, rows};  // has room for four cycles
  Sent party;

  std::vector<CycleRow> taken() {
    std::vector<CycleRow> all;
    for (CycleRow row; rows.pop(row);) all.push_back(row);
    return all;
  }
  std::vector<std::uint64_t> cycles() {
    std::vector<std::uint64_t> all;
    for (const CycleRow & row : taken()) all.push_back(row.cycle);
    return all;
  }
};

TEST_F(CycleTableTest, WritesRowsInOrderWithWhatCame) {
  table.begin(party, 100, {.from = 100, .to = 100 + 10 * spacing});
  table.tick(0);
  table.tick(1);
  table.response(1, 7);
  table.answered(0, 3, 4);
  EXPECT_THAT(cycles(), ::testing::IsEmpty());
  table.end();
  const auto all = taken();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].request_received, 3);
  EXPECT_EQ(all[0].response_sent, 4);
  EXPECT_EQ(all[0].response_received, 0);
  EXPECT_EQ(all[1].ideal, 100 + spacing);
  EXPECT_EQ(all[1].response_received, 7);
  EXPECT_GE(all[1].request_sent, all[1].start);
  EXPECT_THAT(party.all, ::testing::ElementsAre(0, 1));
}

TEST_F(CycleTableTest, LeavesOutCyclesThatDidNotBeginAndThoseBesideTheWindow) {
  table.begin(party, 0, {.from = 2 * spacing, .to = 30 * spacing});
  for (const std::uint64_t cycle : {0, 1, 2, 3, 20, 21, 30}) table.tick(cycle);
  table.end();
  EXPECT_THAT(cycles(), ::testing::ElementsAre(2, 3, 20, 21));
}

TEST_F(CycleTableTest, ForgetsResponsesThatComeTooLate) {
  table.begin(party, 0, {.from = 0, .to = 30 * spacing});
  table.tick(0);
  table.tick(4);
  table.response(0, 7);
  table.end();
  const auto all = taken();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].response_received, 0);
  EXPECT_EQ(all[1].response_received, 0);
}

}  // namespace
}  // namespace takt::lab
