// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <takt_core/model/job.hpp>

#include "npy.hpp"
#include "spec.hpp"
#include "testing/cpu_times.hpp"
#include "testing/example_spec.hpp"
#include "testing/no_rclcpp.hpp"
#include "testing/parameter_name.hpp"
#include "testing/program_run.hpp"

namespace takt::lab {
namespace {

using nlohmann::json;
using testing::Folder;
using testing::Program;

constexpr std::int64_t warmup = 50'000'000;
constexpr std::int64_t duration = 250'000'000;

struct Result {
  json facts;
  std::vector<JobRow> jobs;
  std::vector<ReadRow> reads;
  std::vector<PublishRow> publishes;
};

class RunnerTest : public ::testing::Test {
 protected:
  std::vector<std::string> arguments(const std::string & executor, const std::string & tag,
                                     std::int64_t length = duration) const {
    return {"--spec",        spec_,
            "--executor",    executor,
            "--policy",      "edf",
            "--cpu",         testing::a_cpu(),
            "--warmup-ns",   std::to_string(warmup),
            "--duration-ns", std::to_string(length),
            "--out",         folder_ / "out",
            "--tag",         tag};
  }

  Result result(const std::string & tag) const {
    const std::string path = folder_ / ("out/" + tag);
    return {json::parse(testing::text_of(path + ".json")), read_npy<JobRow>(path + ".jobs.npy"),
            read_npy<ReadRow>(path + ".reads.npy"), read_npy<PublishRow>(path + ".publishes.npy")};
  }

  Result run(const std::string & executor) {
    Program program("runner", arguments(executor, "r"));
    const int status = program.wait();
    if (status != 0) throw std::runtime_error("status " + std::to_string(status) + program.err());
    const Result all = result("r");
    EXPECT_TRUE(program.printed("t0 " + all.facts["t0"].dump()));
    return all;
  }

  /// Returns the releases that a run of this spec under the executor `stock` records. Runs once per spec.
  json releases_of_stock() {
    static std::map<std::string, json> known;
    const std::string spec = testing::text_of(spec_);
    const auto found = known.find(spec);
    if (found != known.end()) return found->second;
    return known.emplace(spec, run("stock").facts["releases"]["releases"]).first->second;
  }

  void use(const json & spec) { folder_.write("resolved.json", spec.dump()); }

  Folder folder_;
  std::string spec_ = folder_.write("resolved.json", testing::example_spec().dump());
};

/// Checks what must be true of a result under every executor, however slow the machine is.
void check(const Result & result, const Spec & spec, const std::set<std::uint32_t> & expected) {
  const std::int64_t t0 = result.facts["t0"];
  const std::int64_t end = result.facts["window"]["to"];
  EXPECT_EQ(result.facts["window"]["from"], t0 + warmup);
  EXPECT_EQ(end, t0 + warmup + duration);

  const auto tasks = spec.tasks();
  std::map<std::uint32_t, std::vector<JobRow>> jobs;
  std::map<std::pair<std::uint32_t, std::uint64_t>, std::int64_t> starts;
  for (const JobRow & job : result.jobs) {
    const bool extra = job.index >= model::first_extra_job;
    EXPECT_EQ((job.flags & job_flags::extra) != 0, extra);
    if (!extra) jobs[job.task].push_back(job);
    starts[{job.task, job.index}] = job.start;
  }
  for (const auto & [task, rows] : jobs) {
    ASSERT_TRUE(expected.contains(task));
    const CallbackSpec & callback = *tasks[task].callback;
    std::int64_t before = t0;
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const JobRow & job = rows[k];
      EXPECT_EQ(job.index, k);
      EXPECT_EQ(job.release, t0 + callback.phase + static_cast<std::int64_t>(k) * callback.period);
      EXPECT_EQ(job.finish < 0, (job.flags & (job_flags::skipped | job_flags::unfinished)) != 0);
      if (job.finish < 0) continue;
      EXPECT_GE(job.start, before);
      EXPECT_GE(job.start, job.release);
      EXPECT_GE(job.cpu, callback.wcet);
      EXPECT_GE(job.finish, job.start);
      EXPECT_LE(job.finish, end);
      before = job.finish;
    }
    EXPECT_LT(rows.back().release, end);
    EXPECT_GE(rows.back().release + callback.period, end);
  }
  EXPECT_EQ(jobs.size(), expected.size());

  std::map<std::pair<std::uint32_t, std::int64_t>, PublishRow> sent;
  std::map<std::uint32_t, std::int64_t> next;
  // Rows of extra jobs are behind those of the grid.
  std::vector<PublishRow> published = result.publishes;
  std::sort(published.begin(), published.end(), [](const PublishRow & a, const PublishRow & b) {
    return std::pair(a.topic, a.sequence) < std::pair(b.topic, b.sequence);
  });
  for (const PublishRow & row : published) {
    EXPECT_EQ(row.sequence, next[row.topic]++) << "of topic " << row.topic;
    EXPECT_LE(row.stamp, row.returned);
    EXPECT_GE(row.stamp, (starts.at({row.task, row.index})));
    sent[{row.topic, row.sequence}] = row;
  }
  for (const ReadRow & row : result.reads) {
    EXPECT_EQ(row.start, (starts.at({row.task, row.index})));
    if (row.sequence < 0) {
      EXPECT_EQ(row.published, -1);
      continue;
    }
    EXPECT_FALSE(spec.topics[row.topic].external);
    if (const auto message = sent.find({row.topic, row.sequence}); message != sent.end()) {
      EXPECT_EQ(row.published, message->second.stamp);
    }
  }
}

void check_cpu(const Result & result) {
  const json & facts = result.facts;
  std::set<std::string> classes;
  for (const auto & thread : facts["threads"]) classes.insert(thread["class"]);
  EXPECT_EQ(classes, (std::set<std::string>{"executor", "middleware", "other"}));
  testing::check_cpu_times(facts);

  // The CPU time of jobs well inside the window, in callbacks and between, is part of that of the process.
  const std::int64_t from = facts["window"]["from"].get<std::int64_t>() + duration / 5;
  std::int64_t callbacks = 0;
  std::int64_t inside = 0;
  std::size_t firsts = 0;
  for (const JobRow & job : result.jobs) {
    EXPECT_EQ(job.decision >= 0, job.start >= 0);
    if (job.start < 0) {
      EXPECT_EQ(job.dispatch_cpu, -1);
      continue;
    }
    if (job.dispatch_cpu < 0) ++firsts;
    if (job.release < from || job.finish < 0) continue;
    EXPECT_GT(job.dispatch_cpu, 0);
    callbacks += job.cpu;
    inside += job.cpu + job.dispatch_cpu;
  }
  EXPECT_LE(callbacks, facts["callback_cpu_ns"]);
  EXPECT_LE(inside, facts["process_cpu_ns"]);
  // Each thread has one first job, and takt has at most four threads for four tasks.
  EXPECT_GE(firsts, 1u);
  EXPECT_LE(firsts, facts["executor"] == "stock" ? 1u : 4u);
}

TEST_F(RunnerTest, TaktRecordsEveryRelease) {
  const Result result = run("takt");
  check(result, read_spec(spec_), {0, 1, 2, 3});
  check_cpu(result);
  EXPECT_EQ(result.facts["policy"]["asked"], "edf");
  const bool realtime = result.facts["grants"]["realtime"];
  EXPECT_EQ(result.facts["policy"]["in_use"], realtime ? "edf" : "np-edf");
  EXPECT_EQ(result.facts["grants"]["refused"].empty() || !realtime ||
                !result.facts["grants"]["memory_locked"].get<bool>(),
            true);
  EXPECT_EQ(result.facts["qos"].size(), 6u);
  for (const auto & entry : result.facts["qos"]) EXPECT_EQ(entry["reliability"], "reliable");
  EXPECT_EQ(result.facts["messages"].size(), 6u);
}

TEST_F(RunnerTest, TaktBoundsTheAgeOfData) {
  json spec = testing::example_spec();
  json & sample = spec["nodes"][0]["callbacks"][0];
  sample["phase_ns"] = 5'000'000;
  sample["extra_releases"] = true;
  spec["nodes"][2]["callbacks"][0]["max_age_ns"] = {3'000'000, 0, 0};
  use(spec);
  const Result result = run("takt");
  check(result, read_spec(spec_), {0, 1, 2, 3});
  const json & tasks = result.facts["statistics"]["tasks"];
  EXPECT_GT(tasks[3]["refreshed"], 0);
  EXPECT_GT(tasks[0]["extra_releases"], 0);
  const auto extra = [](const auto & row) { return row.index >= model::first_extra_job; };
  EXPECT_TRUE(std::any_of(result.jobs.begin(), result.jobs.end(), extra));
  EXPECT_TRUE(std::any_of(result.publishes.begin(), result.publishes.end(), extra));
  EXPECT_EQ(result.facts["releases"]["releases"], releases_of_stock());
}

TEST_F(RunnerTest, TaktRunsOnSeveralCpus) {
  const std::vector<int> cpus = os::allowed_cpus();
  if (cpus.size() < 2) GTEST_SKIP() << "this process may use one CPU";
  json spec = testing::example_spec();
  spec["nodes"][2]["callbacks"][0]["processor"] = 1;
  use(spec);
  std::vector<std::string> all = arguments("takt", "r");
  const std::string both = std::to_string(cpus[0]) + "," + std::to_string(cpus[1]);
  *(std::find(all.begin(), all.end(), "--cpu") + 1) = both;
  Program program("runner", all);
  ASSERT_EQ(program.wait(), 0) << program.err();
  const Result outcome = result("r");
  check(outcome, read_spec(spec_), {0, 1, 2, 3});
  // The planner is on the processor that the spec names; the sensor and then the filter are placed on the
  // processor with the lowest utilisation at that time.
  std::map<int, int> cpu_of;
  for (const auto & processor : outcome.facts["processors"]) {
    EXPECT_GT(processor["statistics"]["jobs"], 0);
    for (const auto & task : processor["tasks"]) cpu_of[task["task"]] = processor["cpu"];
  }
  EXPECT_EQ(cpu_of, (std::map<int, int>{{0, cpus[0]}, {1, cpus[0]}, {2, cpus[1]}, {3, cpus[1]}}));
  for (const auto & place : outcome.facts["places"]) {
    EXPECT_EQ(place["cpu"], cpu_of[place["task"]]) << place;
    EXPECT_EQ(place["elsewhere"], 0) << place;
  }
  // A message that is published on one processor reaches a reader on the other.
  EXPECT_TRUE(std::any_of(outcome.reads.begin(), outcome.reads.end(), [](const ReadRow & row) {
    return row.task == 3 && row.topic == 1 && row.sequence > 0;
  }));
}

TEST_F(RunnerTest, StockRunsOnWhicheverCpuIsFree) {
  const std::vector<int> cpus = os::allowed_cpus();
  if (cpus.size() < 2) GTEST_SKIP() << "this process may use one CPU";
  std::vector<std::string> all = arguments("stock", "r");
  const std::string both = std::to_string(cpus[0]) + "," + std::to_string(cpus[1]);
  *(std::find(all.begin(), all.end(), "--cpu") + 1) = both;
  Program program("runner", all);
  ASSERT_EQ(program.wait(), 0) << program.err();
  const Result outcome = result("r");
  check(outcome, read_spec(spec_), {0, 1, 2, 3});
  const json & processors = outcome.facts["processors"];
  ASSERT_EQ(processors.size(), 1u);
  EXPECT_EQ(processors[0]["cpu"], -1);
  EXPECT_EQ(processors[0]["cpus"], json({cpus[0], cpus[1]}));
  EXPECT_EQ(processors[0]["tasks"].size(), 4u);
  for (const auto & thread : outcome.facts["threads"]) {
    if (thread["class"] == "executor") {
      EXPECT_EQ(thread["cpu"], -1) << thread;
    }
  }
  for (const auto & place : outcome.facts["places"]) {
    EXPECT_TRUE(place["cpu"] == cpus[0] || place["cpu"] == cpus[1]) << place;
  }
}

TEST_F(RunnerTest, TaktKeepsBudgets) {
  json spec = testing::example_spec();
  json & plan = spec["nodes"][2]["callbacks"][0];
  plan["wcet_ns"] = 5'000'000;
  plan["budget_ns"] = 1'000'000;
  plan["on_budget"] = "background";
  use(spec);
  const Result result = run("takt");
  check(result, read_spec(spec_), {0, 1, 2, 3});
  const json & task = result.facts["statistics"]["tasks"][3];
  EXPECT_GT(task["exhausted"], 0);
  EXPECT_EQ(task["lowered"] > 0, result.facts["policy"]["in_use"] == "edf");
  EXPECT_LE(task["lowered"], task["exhausted"]);
}

TEST_F(RunnerTest, StockRecordsEveryRelease) {
  const Result result = run("stock");
  check(result, read_spec(spec_), {0, 1, 2, 3});
  check_cpu(result);
  EXPECT_EQ(result.facts["policy"]["in_use"], "ros");
  EXPECT_EQ(result.facts["processors"][0]["cpus"].size(), 1u);
  EXPECT_EQ(result.facts["measuring"]["ns_per_call"].size(), 100u);
}

class RunnerOfRclcppTest : public RunnerTest, public ::testing::WithParamInterface<const char *> {};

TEST_P(RunnerOfRclcppTest, RecordsEveryReleaseOrSaysThatThereIsNoRclcpp) {
  const std::string executor = GetParam();
  Program program("runner", arguments(executor, "r"));
  if (program.wait() != 0) return testing::expect_no_rclcpp(program);
  const Result all = result("r");
  check(all, read_spec(spec_), {0, 1, 2, 3});
  testing::check_cpu_times(all.facts);
  EXPECT_EQ(all.facts["executor"], executor);
  EXPECT_EQ(all.facts["releases"]["releases"], releases_of_stock());
  // All topics of the process have messages under every executor; nobody publishes the external topic.
  for (const json & entry : all.facts["messages"]) {
    EXPECT_EQ(entry["count"] == 0, entry["topic"] == "from_outside") << entry;
  }
  EXPECT_EQ(all.facts["statistics"].is_null(), executor != "takt-rclcpp");
  if (executor != "takt-rclcpp") return;
  for (const json & task : all.facts["statistics"]["tasks"]) EXPECT_GT(task["finished"], 0);
  EXPECT_EQ(all.facts["processors"][0]["tasks"].size(), 4u);
}

TEST_P(RunnerOfRclcppTest, BoundsTheAgeOfDataWhereTaktSchedules) {
  json spec = testing::example_spec();
  json & sample = spec["nodes"][0]["callbacks"][0];
  sample["phase_ns"] = 5'000'000;
  sample["extra_releases"] = true;
  spec["nodes"][2]["callbacks"][0]["max_age_ns"] = {3'000'000, 0, 0};
  use(spec);
  Program program("runner", arguments(GetParam(), "r"));
  if (program.wait() != 0) return testing::expect_no_rclcpp(program);
  const Result all = result("r");
  check(all, read_spec(spec_), {0, 1, 2, 3});
  if (all.facts["statistics"].is_null()) return;
  EXPECT_GT(all.facts["statistics"]["tasks"][3]["refreshed"], 0);
  EXPECT_GT(all.facts["statistics"]["tasks"][0]["extra_releases"], 0);
}

// The task that was created first is on the CPU whose tasks have the higher numbers.
TEST_P(RunnerOfRclcppTest, TasksAreTheirOwnOnSeveralCpus) {
  const std::vector<int> cpus = os::allowed_cpus();
  if (cpus.size() < 2) GTEST_SKIP() << "this process may use one CPU";
  json spec = testing::example_spec();
  spec["nodes"][0]["group"] = "reentrant";
  spec["nodes"][0]["callbacks"][0]["processor"] = 1;
  spec["nodes"][0]["callbacks"][1]["processor"] = 0;
  use(spec);
  std::vector<std::string> all = arguments(GetParam(), "r");
  *(std::find(all.begin(), all.end(), "--cpu") + 1) =
      std::to_string(cpus[0]) + "," + std::to_string(cpus[1]);
  Program program("runner", all);
  if (program.wait() != 0) return testing::expect_no_rclcpp(program);
  const Result outcome = result("r");
  check(outcome, read_spec(spec_), {0, 1, 2, 3});
  if (outcome.facts["statistics"].is_null()) return;
  std::map<int, int> cpu_of;
  for (const auto & processor : outcome.facts["processors"]) {
    for (const auto & task : processor["tasks"]) cpu_of[task["task"]] = processor["cpu"];
  }
  EXPECT_EQ(cpu_of[0], cpus[1]);
  EXPECT_EQ(cpu_of[1], cpus[0]);
}

INSTANTIATE_TEST_SUITE_P(Executors, RunnerOfRclcppTest,
                         ::testing::Values("takt-rclcpp", "rclcpp-single", "rclcpp-multi",
                                           "rclcpp-events"),
                         testing::by_parameter);

TEST_F(RunnerTest, AnOverloadShedsAndIsStillRecorded) {
  json spec = testing::example_spec();
  spec["nodes"][0]["callbacks"][0]["wcet_ns"] = 25'000'000;
  use(spec);
  for (const char * executor : {"takt", "stock"}) {
    const Result result = run(executor);
    check(result, read_spec(spec_), {0, 1, 2, 3});
    EXPECT_TRUE(std::any_of(result.jobs.begin(), result.jobs.end(), [](const JobRow & job) {
      return (job.flags & job_flags::skipped) != 0;
    })) << executor;
    EXPECT_GT(result.facts["releases"]["skipped"], 0);
  }
}

/// Returns a spec with three callbacks that are released together: utilisation 0.6, and 1.5 in an overload.
json overloaded_spec() {
  json spec = testing::example_spec();
  spec["topics"] = json::array();
  spec["nodes"] = json::array();
  for (const int priority : {90, 50, 10}) {
    spec["nodes"].push_back(
        {{"name", "n" + std::to_string(priority)},
         {"group", "exclusive"},
         {"callbacks", {testing::callback("work", 10, 2'000, priority, {}, {})}}});
  }
  spec["nodes"][2]["callbacks"][0]["queue"] = 3;
  spec["overload"] = {{"from_ns", 50'000'000}, {"to_ns", 200'000'000}, {"factor", 2.5}};
  return spec;
}

TEST_F(RunnerTest, AnOverloadNeverKeepsTheMostUrgentWaitingForOthers) {
  use(overloaded_spec());
  std::vector<std::string> all = arguments("takt", "r");
  *(std::find(all.begin(), all.end(), "--policy") + 1) = "fp";
  all.insert(all.end(), {"--gauges-ns", "50000000"});
  Program program("runner", all);
  ASSERT_EQ(program.wait(), 0) << program.err();
  const Result outcome = result("r");
  const Spec spec = read_spec(spec_);
  check(outcome, spec, {0, 1, 2});
  std::map<std::uint32_t, std::vector<JobRow>> jobs;
  for (const JobRow & job : outcome.jobs) jobs[job.task].push_back(job);
  std::vector<std::uint64_t> shed;
  for (std::uint32_t task = 0; task < 3; ++task) {
    shed.push_back(0);
    for (const JobRow & job : jobs[task]) {
      shed.back() += (job.flags & job_flags::skipped) != 0 ? 1 : 0;
      if (job.finish >= 0) {
        EXPECT_GE(job.cpu, spec.work(*spec.tasks()[task].callback, job.index));
      }
      // Of jobs that are released together, the more urgent ones start first, even on a busy host.
      if (task == 0 || job.start < 0) continue;
      const JobRow & above = jobs[task - 1][job.index];
      if (above.start < 0) continue;
      EXPECT_LT(above.start, job.start) << task << " " << job.index;
    }
  }
  // There was more work than CPU time, and it was the less urgent tasks whose jobs were skipped.
  EXPECT_GT(shed[2], 0u);
  EXPECT_LE(shed[0], shed[1]);
  const auto gauges = read_npy<GaugeRow>(folder_ / "out/r.gauges.npy");
  ASSERT_EQ(gauges.size(), 5u);
  for (std::size_t i = 0; i < gauges.size(); ++i) {
    EXPECT_GE(gauges[i].at, outcome.facts["window"]["from"].get<std::int64_t>() +
                                static_cast<std::int64_t>(i) * 50'000'000);
    EXPECT_GT(gauges[i].resident, 0);
    EXPECT_GT(gauges[i].threads, 1);
  }
}

TEST_F(RunnerTest, ProcessesMeetAndShareTheirStart) {
  json spec = testing::example_spec();
  spec["nodes"].erase(2);
  use(spec);
  const auto one = [&](const std::string & node) {
    std::vector<std::string> all = arguments("stock", node);
    for (const std::string & more :
         {std::string("--node"), node, std::string("--processes"), std::string("2"),
          std::string("--barrier"), folder_ / "barrier"}) {
      all.push_back(more);
    }
    return all;
  };
  Program first("runner", one("0"));
  Program second("runner", one("1"));
  ASSERT_EQ(first.wait(), 0) << first.err();
  ASSERT_EQ(second.wait(), 0) << second.err();
  const Result sensor = result("0");
  const Result filter = result("1");
  EXPECT_EQ(sensor.facts["t0"], filter.facts["t0"]);
  check(sensor, read_spec(spec_), {0, 1});
  check(filter, read_spec(spec_), {2});
  check_cpu(filter);
  const bool received = std::any_of(filter.reads.begin(), filter.reads.end(),
                                    [](const ReadRow & row) { return row.sequence >= 0; });
  EXPECT_TRUE(received);
}

TEST_F(RunnerTest, ASignalLeavesNothing) {
  for (const char * executor : {"takt", "stock"}) {
    Program program("runner", arguments(executor, "r", 60'000'000'000));
    ASSERT_TRUE(program.has_thread("lab.overseer")) << program.err();
    program.terminate();
    EXPECT_EQ(program.wait(), 1);
    EXPECT_NE(program.err().find("runner: interrupted"), std::string::npos) << program.err();
    EXPECT_TRUE(std::filesystem::is_empty(folder_ / "out"));
  }
}

TEST_F(RunnerTest, SaysWhatIsWrong) {
  const struct {
    std::vector<std::string> more;
    const char * executor;
    const char * error;
  } cases[] = {
      {{"--cpu", "1023"}, "takt", "CPU 1023 refused"},
      {{"--spec", "/no/such/resolved.json"}, "takt", "/no/such/resolved.json: cannot be read"},
      {{"--policy", "best"}, "takt", "unknown policy 'best'"},
      {{"--node", "7"}, "stock", "--node 7: the spec has nodes 0 to 2"},
      {{"--os-priority", "5"}, "takt", "--os-priority is for stock executors"},
      {{"--out", "/proc/no/such"}, "stock", "/proc/no/such: cannot be created"},
      {{"--executor", "best"}, "stock", "--executor: best not in"},
      {{"--node", "1", "--match-timeout-ns", "0"},
       "stock",
       "not ready after 0 s: filter/update on 'a': 0 of 1 publishers"},
  };
  for (const auto & item : cases) {
    // An option may be given only once, so the value of an option that is already present is replaced.
    std::vector<std::string> all = arguments(item.executor, "r");
    for (std::size_t i = 0; i < item.more.size(); i += 2) {
      const auto found = std::find(all.begin(), all.end(), item.more[i]);
      if (found != all.end()) {
        *(found + 1) = item.more[i + 1];
      } else {
        all.insert(all.end(), {item.more[i], item.more[i + 1]});
      }
    }
    Program program("runner", all);
    EXPECT_NE(program.wait(), 0) << item.error;
    EXPECT_NE(program.err().find(std::string("runner: ") + item.error), std::string::npos)
        << program.err();
    EXPECT_EQ(testing::lines(program.err()), 1) << program.err();
  }
}

}  // namespace
}  // namespace takt::lab
