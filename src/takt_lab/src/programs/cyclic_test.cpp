// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "testing/conversation_run.hpp"
#include "testing/parameter_name.hpp"

namespace takt::lab {
namespace {

using testing::conversation;
using testing::facts_of;
using testing::Folder;
using testing::Program;

/// Checks the rows of a controller and returns them. At least one request must be answered, however busy the
/// host is.
std::vector<CycleRow> check_cycles(const Folder & folder, const std::string & tag) {
  const nlohmann::json facts = facts_of(folder, tag);
  const auto rows = read_npy<CycleRow>(folder / (tag + ".cycles.npy"));
  const std::int64_t period = facts["period_ns"];
  const std::int64_t t0 = facts["t0"];
  std::uint64_t unanswered = 0;
  std::int64_t before = -1;
  for (const CycleRow & row : rows) {
    EXPECT_GT(row.ideal, before);
    before = row.ideal;
    EXPECT_EQ(row.ideal, t0 + static_cast<std::int64_t>(row.cycle) * period);
    EXPECT_GE(row.start, row.ideal);
    EXPECT_GE(row.request_sent, row.start);
    if (row.response_received == 0) ++unanswered;
    if (row.response_received != 0) {
      EXPECT_GT(row.response_received, row.request_sent);
    }
  }
  const auto & counts = facts["counts"];
  EXPECT_TRUE(facts["complete"]);
  // The history keeps all messages within the time-out, so that the next message does not replace a late one.
  EXPECT_GT(facts["depth"].get<std::int64_t>(), facts["timeout_ns"].get<std::int64_t>() / period);
  EXPECT_EQ(counts["sent"], rows.size());
  EXPECT_EQ(counts["lost"], unanswered);
  EXPECT_EQ(counts["cycles"], 60);
  EXPECT_LT(unanswered, rows.size());
  return rows;
}

const std::vector<std::string> slower = {"--period-ns", "5000000", "--timeout-ns", "100000000"};

class CyclicTransportTest : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (!testing::available(GetParam())) GTEST_SKIP() << "not in this build";
  }
};

TEST_P(CyclicTransportTest, AreAnsweredByAnotherProcess) {
  const Folder folder;
  Program responder("cyclic", conversation("responder", GetParam(), folder, slower));
  ASSERT_TRUE(responder.prints("ready")) << responder.err();
  Program controller("cyclic", conversation("controller", GetParam(), folder, slower));
  ASSERT_EQ(controller.wait(), 0) << controller.err();
  responder.terminate();
  ASSERT_EQ(responder.wait(), 0) << responder.err();
  std::map<std::uint64_t, ResponseRow> answers;
  for (const auto & row : read_npy<ResponseRow>(folder / "responder.responses.npy")) {
    answers[row.cycle] = row;
  }
  for (const CycleRow & row : check_cycles(folder, "controller")) {
    EXPECT_EQ(row.request_received, 0);
    if (row.response_received == 0) continue;
    const auto answer = answers.find(row.cycle);
    ASSERT_NE(answer, answers.end()) << row.cycle;
    EXPECT_GT(answer->second.request_received, row.request_sent);
    EXPECT_GE(answer->second.response_sent, answer->second.request_received);
    EXPECT_GT(row.response_received, answer->second.response_sent);
  }
}

TEST_P(CyclicTransportTest, AreAnsweredInTheSameProcess) {
  const Folder folder;
  Program both("cyclic", conversation("both", GetParam(), folder, slower));
  ASSERT_EQ(both.wait(), 0) << both.err();
  for (const CycleRow & row : check_cycles(folder, "both")) {
    if (row.response_received == 0) continue;
    EXPECT_GT(row.response_received, row.request_sent);
    EXPECT_GE(row.response_sent, row.request_received);
  }
}

INSTANTIATE_TEST_SUITE_P(Cyclic, CyclicTransportTest, ::testing::ValuesIn(transport_names()),
                         testing::by_parameter);

}  // namespace
}  // namespace takt::lab
