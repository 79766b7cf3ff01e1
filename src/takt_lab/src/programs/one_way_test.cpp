// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "testing/conversation_run.hpp"
#include "testing/parameter_name.hpp"

namespace takt::lab {
namespace {

using testing::conversation;
using testing::facts_of;
using testing::Folder;
using ::testing::HasSubstr;
using testing::Program;

const std::vector<std::string> sizes = {"--payload", "100", "70000", "--turn", "3"};

std::vector<std::string> with(std::vector<std::string> more) {
  more.insert(more.end(), sizes.begin(), sizes.end());
  return more;
}

/// Checks the files of a sender and of processes with `count` receivers in total, each given with the folder of its
/// files. At least one message of each size must reach each receiver, however busy the host is.
void check(const Folder & folder, const std::string & sender,
           const std::vector<std::pair<const Folder *, std::string>> & receivers, int count) {
  const nlohmann::json facts = facts_of(folder, sender);
  EXPECT_TRUE(facts["complete"]);
  std::map<std::uint64_t, SentRow> sent;
  for (const SentRow & row : read_npy<SentRow>(folder / (sender + ".sent.npy"))) {
    EXPECT_TRUE(sent.emplace(row.sequence, row).second);
    EXPECT_EQ(row.bytes, row.sequence / 3 % 2 == 0 ? 100 : 70'000);
    EXPECT_EQ(row.intended,
              facts["t0"].get<std::int64_t>() +
                  static_cast<std::int64_t>(row.sequence) * facts["period_ns"].get<std::int64_t>());
    EXPECT_LE(row.intended, row.sent);
    EXPECT_LE(row.sent, row.returned);
  }
  EXPECT_EQ(facts["counts"]["sender"]["sent"], sent.size());
  std::set<std::pair<std::int64_t, std::int64_t>> arrived;
  for (const auto & [where, tag] : receivers) {
    for (const ReceivedRow & row : read_npy<ReceivedRow>(*where / (tag + ".received.npy"))) {
      const auto found = sent.find(row.sequence);
      if (found == sent.end()) continue;
      EXPECT_EQ(row.bytes, found->second.bytes);
      EXPECT_GT(row.received, found->second.sent);
      arrived.emplace(row.receiver, row.bytes);
    }
    EXPECT_EQ(facts_of(*where, tag)["counts"]["receivers"]["unrecorded"], 0);
    EXPECT_FALSE(read_npy<CpuRow>(*where / (tag + ".receiver-cpu.npy")).empty());
  }
  EXPECT_EQ(arrived.size(), static_cast<std::size_t>(2 * count));
  const auto cpu = read_npy<CpuRow>(folder / (sender + ".sender-cpu.npy"));
  for (std::size_t i = 1; i < cpu.size(); ++i) EXPECT_GE(cpu[i].cpu, cpu[i - 1].cpu);
  EXPECT_GT(cpu.size(), 1U);
}

class OneWayTransportTest : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (!testing::available(GetParam())) GTEST_SKIP() << "not in this build";
  }
};

TEST_P(OneWayTransportTest, ReachesReceiversInProcessesOfTheirOwn) {
  const Folder sent;
  const Folder one;
  const Folder two;
  const auto receive = [&](const Folder & folder, const char * number, const char * address) {
    return conversation("receiver", GetParam(), folder,
                        with({"--receiver", number, "--receivers", "2", "--here", address,
                              "--there", "127.0.0.1:22300"}));
  };
  // Each receiver uses a port for each size.
  Program first("one_way", receive(one, "1", "127.0.0.1:22310"));
  Program second("one_way", receive(two, "2", "127.0.0.1:22312"));
  for (Program * receiver : {&first, &second})
    ASSERT_TRUE(receiver->prints("ready")) << receiver->err();
  Program sender("one_way", conversation("sender", GetParam(), sent,
                                         with({"--receivers", "2", "--here", "127.0.0.1:22300",
                                               "--there", "127.0.0.1:22310"})));
  ASSERT_EQ(sender.wait(), 0) << sender.err();
  for (Program * receiver : {&first, &second}) {
    receiver->terminate();
    ASSERT_EQ(receiver->wait(), 0) << receiver->err();
  }
  check(sent, "sender", {{&one, "receiver"}, {&two, "receiver"}}, 2);
}

TEST_P(OneWayTransportTest, ReachesReceiversInTheSameProcess) {
  const Folder folder;
  Program both("one_way", conversation("both", GetParam(), folder,
                                       with({"--receivers", "3", "--checkpoint-ns", "1"})));
  ASSERT_EQ(both.wait(), 0) << both.err();
  EXPECT_TRUE(both.printed("files"));
  check(folder, "both", {{&folder, "both"}}, 3);
}

INSTANTIATE_TEST_SUITE_P(OneWay, OneWayTransportTest, ::testing::ValuesIn(transport_names()),
                         testing::by_parameter);

TEST(OneWayTest, RefusesAReceiverThatThereIsNot) {
  const Folder folder;
  Program receiver(
      "one_way", conversation("receiver", "udp", folder, {"--receiver", "3", "--receivers", "2"}));
  EXPECT_EQ(receiver.wait(), 1);
  EXPECT_THAT(receiver.err(), HasSubstr("there are only 2"));
}

}  // namespace
}  // namespace takt::lab
