// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "cpu_turns.hpp"
#include "npy.hpp"
#include "testing/parameter_name.hpp"
#include "testing/program_run.hpp"

namespace takt::lab {
namespace {

using nlohmann::json;
using testing::Folder;
using testing::Program;

class SoakTest : public ::testing::Test {
 protected:
  std::vector<std::string> arguments(const std::string & duration) const {
    return {"--cpu",         testing::a_cpu(), "--warmup-ns", "200000000",
            "--duration-ns", duration,         "--out",       folder_ / "out"};
  }
  template <typename Row>
  std::vector<Row> rows(const std::string & name) const {
    return read_npy<Row>(folder_ / ("out/soak." + name + ".npy"));
  }

  Folder folder_;
};

class SoakApplicationTest : public SoakTest, public ::testing::WithParamInterface<std::string> {};

/// Whether or not deadlines are met, the record contains every job and every change of the executor.
TEST_P(SoakApplicationTest, IsRecordedAndCanBeReplayed) {
  std::vector<std::string> options = arguments("1700000000");
  options.insert(options.end(), {"--application", GetParam()});
  Program program("soak", options);
  ASSERT_EQ(program.wait(), 0) << program.err();
  const json facts = json::parse(testing::text_of(folder_ / "out/soak.json"));
  EXPECT_TRUE(program.printed("t0 " + facts["t0"].dump()));
  EXPECT_EQ(facts["dropped"], 0);
  EXPECT_GT(facts["received"], 0);
  EXPECT_EQ(facts["read_outside"]["messages"] > 0, GetParam() == "urgent");
  EXPECT_EQ(facts["read_outside"]["bytes"],
            facts["read_outside"]["messages"].get<std::int64_t>() * (4 << 20));
  EXPECT_GE(facts["guests"], 1);
  const auto tasks = facts["tasks"].size();
  const std::int64_t t0 = facts["t0"];
  auto jobs = rows<SoakJobRow>("jobs");
  std::map<std::uint32_t, std::int64_t> before;
  for (const SoakJobRow & job : jobs) {
    ASSERT_LT(job.task, tasks);
    EXPECT_GE(job.release, t0);
    EXPECT_GT(job.deadline, job.release);
    EXPECT_GE(job.start, job.release);
    EXPECT_GE(job.finish, job.start);
    EXPECT_GE(job.cpu, facts["tasks"][job.task]["wcet_ns"]);
    EXPECT_GE(job.start, std::exchange(before[job.task], job.finish)) << "of task " << job.task;
    EXPECT_TRUE(job.task > 0 || (job.release - t0) % facts["tasks"][0]["period_ns"].get<int>() == 0)
        << job.release;
  }
  // Some tasks may have had no CPU time at all, but the most urgent one has run.
  EXPECT_TRUE(before.contains(0));
  std::map<std::uint32_t, int> kinds;
  for (const SoakEventRow & event : rows<SoakEventRow>("events")) {
    EXPECT_LE(event.from, event.to);
    ++kinds[event.kind];
  }
  EXPECT_GE(kinds[soak_events::by_thread], 1);
  EXPECT_EQ(kinds[soak_events::added], facts["guests"]);
  EXPECT_EQ(kinds[soak_events::removed], facts["guests"]);
  EXPECT_GE(facts["statistics"]["scenario_switches"], 1);
  std::int64_t at = 0;
  for (const CpuTurnRow & turn : rows<CpuTurnRow>("cpu"))
    EXPECT_GE(turn.at, std::exchange(at, turn.at));
  EXPECT_NE(at > 0, facts["switches"]["refused"] != "") << facts["switches"];
  EXPECT_EQ(facts["switches"]["lost"], 0);
  const auto gauges = rows<GaugeRow>("gauges");
  EXPECT_GE(gauges.size(), 2u);
  for (const GaugeRow & look : gauges) EXPECT_GT(look.threads, 1);
  for (const SoakMissRow & miss : rows<SoakMissRow>("misses"))
    EXPECT_GE(miss.noticed, miss.deadline);

  std::stable_sort(jobs.begin(), jobs.end(), [](const SoakJobRow & a, const SoakJobRow & b) {
    return a.release < b.release;
  });
  write_npy<SoakJobRow>(folder_ / "jobs.npy", jobs);
  std::vector<std::string> all = {
      "--jobs",   folder_ / "jobs.npy",      "--out",   folder_ / "finishes.npy",
      "--policy", facts["policy"]["in_use"], "--groups"};
  for (const auto & task : facts["tasks"]) all.push_back(task["group"].dump());
  Program replay("replay", all);
  ASSERT_EQ(replay.wait(), 0) << replay.err();
  const auto finishes = read_npy<FinishRow>(folder_ / "finishes.npy");
  ASSERT_EQ(finishes.size(), jobs.size());
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    EXPECT_GE(finishes[i].finish, jobs[i].release + jobs[i].cpu) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Each, SoakApplicationTest, ::testing::Values("full", "urgent"),
                         testing::by_parameter);

TEST_F(SoakTest, ASignalLeavesNothing) {
  Program program("soak", arguments("60000000000"));
  ASSERT_TRUE(program.has_thread("lab.guests")) << program.err();
  program.terminate();
  EXPECT_EQ(program.wait(), 1);
  EXPECT_NE(program.err().find("soak: interrupted"), std::string::npos) << program.err();
  EXPECT_TRUE(std::filesystem::is_empty(folder_ / "out"));
}

TEST_F(SoakTest, ReplaySaysWhatIsWrong) {
  const std::vector<SoakJobRow> jobs = {
      {.task = 1, .release = 5, .deadline = 9, .start = 5, .finish = 7, .cpu = 2}};
  write_npy<SoakJobRow>(folder_ / "jobs.npy", jobs);
  Program replay("replay",
                 {"--jobs", folder_ / "jobs.npy", "--groups", "0", "--out", folder_ / "x.npy"});
  EXPECT_EQ(replay.wait(), 1);
  EXPECT_NE(replay.err().find("task 1 has no group"), std::string::npos) << replay.err();
  EXPECT_FALSE(std::filesystem::exists(folder_ / "x.npy"));
}

}  // namespace
}  // namespace takt::lab
