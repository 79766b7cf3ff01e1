// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "testing/conversation_run.hpp"
#include "testing/parameter_name.hpp"

namespace takt::lab {
namespace {

using testing::conversation;
using testing::facts_of;
using testing::Folder;
using testing::Program;

/// Checks the files of a client. At least one message must be answered, however busy the host is.
void check_trips(const Folder & folder, const std::string & tag) {
  const nlohmann::json facts = facts_of(folder, tag);
  const auto rows = read_npy<TripRow>(folder / (tag + ".trips.npy"));
  const std::int64_t period = facts["period_ns"];
  std::uint64_t lost = 0;
  std::uint64_t missed = 0;
  std::uint64_t sequence = 0;
  for (const TripRow & row : rows) {
    EXPECT_GT(row.sequence, sequence);
    sequence = row.sequence;
    EXPECT_EQ((row.intended - facts["t0"].get<std::int64_t>()) % period, 0);
    EXPECT_GE(row.sent, row.intended);
    if (row.received == 0) {
      ++lost;
    } else {
      EXPECT_GT(row.received, row.sent);
      missed += row.received > row.intended + period ? 1 : 0;
    }
  }
  const auto & counts = facts["counts"];
  EXPECT_TRUE(facts["complete"]);
  EXPECT_EQ(counts["sent"], rows.size());
  EXPECT_EQ(counts["lost"], lost);
  EXPECT_EQ(counts["missed"], missed);
  EXPECT_EQ(counts["cycles"], 30);
  EXPECT_EQ(counts["skipped"].get<std::uint64_t>() + rows.size(), 30u);
  EXPECT_EQ(counts["unrecorded"], 0);
  EXPECT_LT(lost, rows.size());
  EXPECT_FALSE(facts["threads"].empty());
}

class RoundTripTransportTest : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (!testing::available(GetParam())) GTEST_SKIP() << "not in this build";
  }
};

TEST_P(RoundTripTransportTest, ComesBackFromAnotherProcess) {
  const Folder folder;
  Program server("round_trip", conversation("server", GetParam(), folder));
  ASSERT_TRUE(server.prints("ready")) << server.err();
  Program client("round_trip", conversation("client", GetParam(), folder));
  ASSERT_EQ(client.wait(), 0) << client.err();
  EXPECT_TRUE(client.printed("files"));
  check_trips(folder, "client");
  server.terminate();
  ASSERT_EQ(server.wait(), 0) << server.err();
  EXPECT_GT(facts_of(folder, "server")["counts"]["answered"], 0);
}

TEST_P(RoundTripTransportTest, ComesBackFromTheSameProcess) {
  const Folder folder;
  Program both("round_trip", conversation("both", GetParam(), folder, {"--checkpoint-ns", "1"}));
  ASSERT_EQ(both.wait(), 0) << both.err();
  check_trips(folder, "both");
}

INSTANTIATE_TEST_SUITE_P(RoundTrip, RoundTripTransportTest, ::testing::ValuesIn(transport_names()),
                         testing::by_parameter);

TEST(RoundTripTest, HasAllSettingsAndSaysWhatWasGranted) {
  const Folder folder;
  Program both("round_trip",
               conversation("both", "takt", folder,
                            {"--plan", "timer=42,middleware=41,workers=40", "--lock-memory",
                             "--allocator", "tlsf", "--inherit", "30", "--cpu", testing::a_cpu(),
                             "--awake", "--same-node", "--beside", "2", "--through-middleware"}));
  ASSERT_EQ(both.wait(), 0) << both.err();
  check_trips(folder, "both");
  const nlohmann::json facts = facts_of(folder, "both");
  const bool locked = facts["granted"]["lock_memory"]["granted"] == 1;
  EXPECT_EQ(locked, facts["granted"]["lock_memory"]["error"] == "");
  std::set<int> priorities;
  for (const auto & thread : facts["threads"]) priorities.insert(thread["priority"].get<int>());
  if (facts["grants"]["realtime"]) {
    EXPECT_THAT(priorities, ::testing::IsSupersetOf({40, 41, 42}));
  } else {
    EXPECT_THAT(priorities, ::testing::ElementsAre(0));
    EXPECT_FALSE(facts["grants"]["refused"].empty());
  }
  EXPECT_EQ(facts["awake"].size(), 1u);
  EXPECT_GT(facts["allocator"]["allocations"], 0);
  EXPECT_GT(facts["allocator"]["share"], 0.0);
  EXPECT_EQ(facts["allocator"]["no_room"], 0);
}

TEST(RoundTripTest, HasNothingRealTimeUnasked) {
  const Folder folder;
  for (const std::string transport : {"takt", "udp"}) {
    Program both("round_trip", conversation("both", transport, folder));
    ASSERT_EQ(both.wait(), 0) << both.err();
    const nlohmann::json facts = facts_of(folder, "both");
    for (const auto & thread : facts["threads"]) {
      EXPECT_EQ(thread["priority"], 0) << thread;
    }
  }
}

TEST(RoundTripTest, CountsWhatIsLost) {
  const Folder folder;
  Program server("round_trip", conversation("server", "udp", folder));
  ASSERT_TRUE(server.prints("ready")) << server.err();
  // No reply arrives within this time-out of 1 ns.
  Program client("round_trip", conversation("client", "udp", folder, {"--timeout-ns", "1"}));
  ASSERT_EQ(client.wait(), 0) << client.err();
  const nlohmann::json counts = facts_of(folder, "client")["counts"];
  EXPECT_GT(counts["sent"], 0);
  EXPECT_LE(counts["lost"], counts["sent"]);
}

TEST(RoundTripTest, SaysWhatIsWrong) {
  const Folder folder;
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {conversation("client", "udp", folder, {"--match-timeout-ns", "1"}), "was not found within"},
      {conversation("client", "udp", folder, {"--here", "nowhere"}), "is not an address"},
      {conversation("client", "takt", folder, {"--same-node"}), "--side both"},
      {conversation("both", "udp", folder, {"--beside", "1"}), "--beside"},
      {conversation("both", "udp", folder, {"--plan", "main=3"}), "there is no 'main'"},
      {conversation("both", "udp", folder, {"--plan", "timer=3,workers=5"}), "timer is 3"}};
  for (const auto & [arguments, what] : cases) {
    Program program("round_trip", arguments);
    EXPECT_EQ(program.wait(), 1);
    EXPECT_NE(program.err().find(what), std::string::npos) << program.err();
    EXPECT_EQ(testing::lines(program.err()), 1) << program.err();
  }
}

TEST(RoundTripTest, ListsItsTransports) {
  Program program("round_trip", {"--transports"});
  EXPECT_EQ(program.wait(), 0) << program.err();
  const auto list = nlohmann::json::parse(program.out());
  ASSERT_EQ(list.size(), transport_names().size());
  for (const auto & entry : list) EXPECT_EQ(entry["available"], entry["why"] == "");
}

}  // namespace
}  // namespace takt::lab
