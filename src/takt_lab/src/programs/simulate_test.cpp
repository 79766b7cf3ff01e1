// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <takt_core/model/job.hpp>

#include "npy.hpp"
#include "testing/example_spec.hpp"
#include "testing/program_run.hpp"

namespace takt::lab {
namespace {

using testing::Folder;
using testing::Program;

class SimulateTest : public ::testing::Test {
 protected:
  void run(std::vector<std::string> arguments) {
    for (const std::string & argument : {std::string("--spec"), spec_}) {
      arguments.push_back(argument);
    }
    Program program("simulate", arguments);
    ASSERT_EQ(program.wait(), 0) << program.err();
  }

  Folder folder_;
  std::string spec_ = folder_.write("resolved.json", testing::example_spec().dump());
};

TEST_F(SimulateTest, HasEveryReleaseAndTheWorstCases) {
  run({"--policy", "fp", "--duration-ns", "200000000", "--out", folder_ / "jobs.npy", "--slices",
       folder_ / "slices.npy"});
  const auto jobs = read_npy<JobRow>(folder_ / "jobs.npy");
  EXPECT_EQ(jobs.size(), 20u + 7u + 10u + 5u);
  std::map<std::pair<std::uint32_t, std::uint64_t>, std::int64_t> ran;
  for (const SliceRow & slice : read_npy<SliceRow>(folder_ / "slices.npy")) {
    ran[{slice.task, slice.index}] += slice.to - slice.from;
  }
  const std::int64_t worst[] = {300'000, 100'000, 500'000, 1'000'000};
  for (const JobRow & job : jobs) {
    EXPECT_EQ(job.flags, 0u);
    EXPECT_EQ(job.cpu, worst[job.task]);
    EXPECT_EQ((ran[{job.task, job.index}]), job.cpu);
    EXPECT_GE(job.start, job.release);
    EXPECT_GE(job.finish - job.start, job.cpu);
  }
}

TEST_F(SimulateTest, ReleasesExtraJobsWhereReadersNeedThem) {
  auto spec = testing::example_spec();
  spec["nodes"][0]["callbacks"][0]["phase_ns"] = 5'000'000;
  spec["nodes"][0]["callbacks"][0]["extra_releases"] = true;
  spec["nodes"][2]["callbacks"][0]["max_age_ns"] = {3'000'000, 0, 0};
  spec_ = folder_.write("resolved.json", spec.dump());
  run({"--policy", "fp", "--duration-ns", "200000000", "--out", folder_ / "jobs.npy"});
  std::uint64_t extra = 0;
  for (const JobRow & job : read_npy<JobRow>(folder_ / "jobs.npy")) {
    if ((job.flags & job_flags::extra) == 0) continue;
    EXPECT_EQ(job.task, 0u);
    EXPECT_EQ(job.index, model::first_extra_job + extra++);
    EXPECT_EQ(job.release % 40'000'000, 500'000) << "when the job of the filter has ended";
  }
  EXPECT_EQ(extra, 5u);
  // The written rows can be replayed as a record.
  run({"--policy", "fp", "--duration-ns", "200000000", "--out", folder_ / "again.npy", "--replay",
       folder_ / "jobs.npy"});
  EXPECT_EQ(read_npy<JobRow>(folder_ / "again.npy").size(),
            read_npy<JobRow>(folder_ / "jobs.npy").size());
}

TEST_F(SimulateTest, JobsReleasedInAnOverloadTakeLonger) {
  auto spec = testing::example_spec();
  spec["overload"] = {{"from_ns", 40'000'000}, {"to_ns", 80'000'000}, {"factor", 3}};
  spec_ = folder_.write("resolved.json", spec.dump());
  run({"--policy", "fp", "--duration-ns", "120000000", "--out", folder_ / "jobs.npy"});
  for (const JobRow & job : read_npy<JobRow>(folder_ / "jobs.npy")) {
    if (job.task != 3) continue;
    const std::int64_t factor = job.release == 40'000'000 ? 3 : 1;
    EXPECT_EQ(job.cpu, factor * 1'000'000);
    EXPECT_EQ(job.finish - job.release, factor * (300'000 + 500'000 + 1'000'000));
  }
}

TEST_F(SimulateTest, JobsThatUseUpTheirBudgetGoOnInTheBackground) {
  auto spec = testing::example_spec();
  auto & update = spec["nodes"][1]["callbacks"][0];  // 0.5 ms; the planner below it needs 1 ms
  update["budget_ns"] = 200'000;
  update["on_budget"] = "background";
  spec_ = folder_.write("resolved.json", spec.dump());
  run({"--policy", "fp", "--duration-ns", "40000000", "--out", folder_ / "jobs.npy"});
  std::map<std::uint64_t, std::int64_t> finished;
  for (const JobRow & job : read_npy<JobRow>(folder_ / "jobs.npy")) {
    if (job.task == 2) finished[job.index] = job.finish;
  }
  EXPECT_EQ(finished[0], 300'000 + 200'000 + 1'000'000 + 300'000) << "after the job of the planner";
  EXPECT_EQ(finished[1], 20'000'000 + 300'000 + 500'000) << "no other job is ready";
}

TEST_F(SimulateTest, ReplaysARunOnItsOwnTime) {
  run({"--policy", "fp", "--duration-ns", "200000000", "--out", folder_ / "jobs.npy"});
  auto jobs = read_npy<JobRow>(folder_ / "jobs.npy");
  constexpr std::int64_t t0 = 7'000'000'000'000;
  for (JobRow & job : jobs) {
    job.release += t0;
    job.start += t0;
    job.finish += t0;
    job.cpu /= 2;
  }
  write_npy<JobRow>(folder_ / "run.npy", jobs);
  const std::vector<StallRow> stalls = {{0, t0 + 40'000'000, t0 + 45'000'000}, {0, 0, 1}};
  write_npy<StallRow>(folder_ / "stalls.npy", stalls);
  run({"--policy", "edf", "--duration-ns", "200000000", "--out", folder_ / "again.npy", "--replay",
       folder_ / "run.npy", "--stalls", folder_ / "stalls.npy"});
  const auto again = read_npy<JobRow>(folder_ / "again.npy");
  ASSERT_EQ(again.size(), jobs.size());
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    EXPECT_EQ(again[i].task, jobs[i].task);
    EXPECT_EQ(again[i].release, jobs[i].release);
    EXPECT_EQ(again[i].cpu, jobs[i].cpu);
    EXPECT_FALSE(again[i].start >= stalls[0].from && again[i].start < stalls[0].to);
  }
}

TEST_F(SimulateTest, PartitionsOverSeveralProcessors) {
  auto spec = testing::example_spec();
  // Two utilisations of 0.95 and 0.9 and some small ones are more than one processor can handle.
  spec["nodes"][0]["callbacks"][0]["wcet_ns"] = 9'500'000;
  spec["nodes"][1]["callbacks"][0]["wcet_ns"] = 18'000'000;
  spec_ = folder_.write("resolved.json", spec.dump());
  run({"--policy", "edf", "--duration-ns", "240000000", "--processors", "2", "--out",
       folder_ / "jobs.npy", "--slices", folder_ / "slices.npy", "--placed",
       folder_ / "placed.json"});
  const auto placed = nlohmann::json::parse(testing::text_of(folder_ / "placed.json"));
  // The sensor's two tasks exclude each other, so they share a processor; the planner is on the processor
  // with the lower utilisation.
  EXPECT_EQ(placed["processor"], (std::vector<int>{0, 0, 1, 1}));
  EXPECT_NEAR(placed["utilisation"][1].get<double>(), 0.925, 1e-9);
  const auto jobs = read_npy<JobRow>(folder_ / "jobs.npy");
  EXPECT_EQ(jobs.size(), 24u + 8u + 12u + 6u);
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    EXPECT_EQ(jobs[i].flags, 0u);
    if (i > 0) {
      EXPECT_GE(jobs[i].release, jobs[i - 1].release);
    }
  }
  // Each processor runs one job at a time.
  std::map<int, std::int64_t> until;
  for (const SliceRow & slice : read_npy<SliceRow>(folder_ / "slices.npy")) {
    std::int64_t & last = until[placed["processor"][slice.task].get<int>()];
    EXPECT_GE(slice.from, last);
    last = slice.to;
  }
  // All tasks on one processor, as given by the option, are too much for it.
  run({"--policy", "edf", "--duration-ns", "240000000", "--processors", "2", "--placement",
       "1,1,1,1", "--out", folder_ / "jobs.npy"});
  const auto crowded = read_npy<JobRow>(folder_ / "jobs.npy");
  EXPECT_TRUE(std::any_of(crowded.begin(), crowded.end(),
                          [](const JobRow & job) { return job.flags != 0; }));
}

TEST_F(SimulateTest, AStallHoldsUpItsOwnCpu) {
  const std::vector<StallRow> stalls = {{5, 0, 10'000'000}};
  write_npy<StallRow>(folder_ / "stalls.npy", stalls);
  run({"--policy", "edf", "--duration-ns", "10000000", "--processors", "2", "--placement",
       "0,0,1,1", "--cpu", "4,5", "--stalls", folder_ / "stalls.npy", "--out",
       folder_ / "jobs.npy"});
  for (const JobRow & job : read_npy<JobRow>(folder_ / "jobs.npy")) {
    EXPECT_EQ(job.start < 0, job.task >= 2) << job.task;
  }
}

TEST_F(SimulateTest, AnOverloadSheds) {
  auto spec = testing::example_spec();
  spec["nodes"][0]["callbacks"][0]["wcet_ns"] = 25'000'000;
  spec_ = folder_.write("resolved.json", spec.dump());
  run({"--policy", "np-fp", "--duration-ns", "200000000", "--out", folder_ / "jobs.npy"});
  std::map<std::uint32_t, int> flags;
  for (const JobRow & job : read_npy<JobRow>(folder_ / "jobs.npy")) {
    ++flags[job.flags];
    EXPECT_EQ(job.finish < 0, (job.flags & (job_flags::skipped | job_flags::unfinished)) != 0);
  }
  EXPECT_GT(flags[job_flags::skipped], 0);
  EXPECT_GT(flags[job_flags::late], 0);
}

TEST_F(SimulateTest, SaysWhatIsWrong) {
  const struct {
    std::vector<std::string> arguments;
    const char * error;
  } cases[] = {
      {{"--spec", folder_ / "none", "--duration-ns", "1", "--out", folder_ / "x"},
       "none: cannot be read: No such file"},
      {{"--spec", spec_, "--duration-ns", "1", "--out", folder_ / "x", "--policy", "best"},
       "unknown policy 'best'"},
      {{"--spec", spec_, "--duration-ns", "1", "--out", "/no/such/x"}, "cannot be written"},
      {{"--spec", spec_, "--duration-ns", "1", "--out", folder_ / "x", "--replay", spec_},
       "is not an .npy file"},
      {{"--spec", spec_, "--duration-ns", "1", "--out", folder_ / "x", "--placement", "0,0"},
       "--placement: has 2 processors for 4 tasks"},
      {{"--spec", spec_, "--duration-ns", "1", "--out", folder_ / "x", "--processors", "2",
        "--placement", "0,1,0,0"},
       "'sensor/sample' and 'sensor/late' exclude each other"},
      {{"--spec", spec_, "--duration-ns", "1", "--out", folder_ / "x", "--cpu", "0,1"},
       "--cpu: give one for each processor"},
  };
  for (const auto & item : cases) {
    Program program("simulate", item.arguments);
    EXPECT_NE(program.wait(), 0);
    EXPECT_NE(program.err().find(item.error), std::string::npos) << program.err();
    EXPECT_EQ(testing::lines(program.err()), 1) << program.err();
  }
}

}  // namespace
}  // namespace takt::lab
