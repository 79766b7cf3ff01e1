// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "npy.hpp"
#include "rows.hpp"
#include "testing/no_rclcpp.hpp"
#include "testing/parameter_name.hpp"
#include "testing/program_run.hpp"

namespace takt::lab {
namespace {

using testing::a_cpu;
using testing::Folder;
using testing::Program;
using testing::text_of;

constexpr std::int64_t release_period = 1'000'000;

/// A run of two rounds with short turns, and its results.
struct TurnsRun {
  int status = 0;
  std::string err;
  nlohmann::json facts;
  std::vector<JobRow> jobs;
  std::vector<SampleRow> publishes;

  explicit TurnsRun(const std::vector<std::string> & more,
                    const std::string & turn_ns = "100000000") {
    const Folder folder;
    std::vector<std::string> arguments = {"--cpu",     a_cpu(), "--rounds", "2",
                                          "--turn-ns", turn_ns, "--out",    folder / "out"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    Program program("interference", arguments);
    status = program.wait();
    err = program.err();
    if (status != 0) return;
    facts = nlohmann::json::parse(text_of(folder / "out/interference.json"));
    jobs = read_npy<JobRow>(folder / "out/interference.jobs.npy");
    publishes = read_npy<SampleRow>(folder / "out/interference.publishes.npy");
  }

  /// Runs repeatedly, each time with turns four times as long, until there was a release in every turn, and
  /// `enough` returns true: on a busy host that takes longer.
  template <typename Enough>
  static TurnsRun until(Enough enough, const std::vector<std::string> & more) {
    constexpr std::int64_t longest = 30'000'000'000;
    for (std::int64_t turn = 100'000'000;; turn *= 4) {
      TurnsRun run(more, std::to_string(turn));
      if (run.status != 0 || turn > longest || (run.released_in_each_turn() && enough(run))) {
        return run;
      }
    }
  }
  /// The same, until the activity `what` has happened in the turns with the interference.
  static TurnsRun that_did(const std::string & what, const std::vector<std::string> & more) {
    return until([&](const TurnsRun & run) { return run.did(what) > 0; }, more);
  }

  /// Returns the count of an activity, summed over the turns with the interference (`on`) or those without.
  std::int64_t did(const std::string & what, bool on = true) const {
    return sum(on, [&](const nlohmann::json & turn) { return turn["did"][what]; });
  }
  std::int64_t peer(const std::string & role, const std::string & what, bool on = true) const {
    return sum(on, [&](const nlohmann::json & turn) { return turn["peers"][role][what]; });
  }

  bool released_in_each_turn() const {
    const auto & turns = facts["turns"];
    return std::all_of(turns.begin(), turns.end(), [](const nlohmann::json & turn) {
      return turn["counters"]["released"] > 0;
    });
  }

 private:
  template <typename Of>
  std::int64_t sum(bool on, Of of) const {
    std::int64_t all = 0;
    for (const auto & turn : facts["turns"]) {
      if (turn["on"] == on) all += of(turn).template get<std::int64_t>();
    }
    return all;
  }
};

/// Checks what must be true of every run.
void check_turns(const TurnsRun & run) {
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(run.facts["dropped"], 0);
  const std::int64_t t0 = run.facts["t0"];
  std::int64_t last = -1;
  for (const JobRow & job : run.jobs) {
    EXPECT_EQ(job.release, t0 + static_cast<std::int64_t>(job.index) * release_period);
    EXPECT_GT(static_cast<std::int64_t>(job.index), last);
    last = static_cast<std::int64_t>(job.index);
    EXPECT_GE(job.start, job.release);
    EXPECT_GE(job.finish, job.start);
  }
  // Each round has one turn with the interference and one without. Their order alternates between rounds,
  // and turns do not overlap.
  ASSERT_EQ(run.facts["turns"].size(), 4u);
  const std::vector<bool> on = {run.facts["turns"][0]["on"], run.facts["turns"][1]["on"],
                                run.facts["turns"][2]["on"], run.facts["turns"][3]["on"]};
  EXPECT_EQ(on, (std::vector<bool>{false, true, true, false}));
  std::int64_t before = t0;
  for (const auto & turn : run.facts["turns"]) {
    EXPECT_GE(turn["from"], before);
    EXPECT_GE(turn["to"].get<std::int64_t>() - turn["from"].get<std::int64_t>(),
              run.facts["turn_ns"].get<std::int64_t>());
    before = turn["to"];
    // Some of the releases that are counted may have been skipped.
    EXPECT_GT(turn["counters"]["released"], 0);
    EXPECT_LE(turn["counters"]["skipped"], turn["counters"]["released"]);
  }
}

TEST(InterferenceTest, LargeMessagesReachTheReaderOutsideInTheTurnsWithThemAlone) {
  const TurnsRun run = TurnsRun::that_did(
      "published", {"--does", "publish", "--bytes", "1000000", "--every-ns", "20000000"});
  check_turns(run);
  EXPECT_GT(run.did("published"), 0);
  EXPECT_EQ(run.did("published", false), 0);
  EXPECT_EQ(run.did("bytes"), (run.did("published") - run.did("failed")) * 1'000'000);
  EXPECT_GT(run.peer("reader", "bytes"), 0);
  EXPECT_EQ(run.peer("reader", "bytes") % 1'000'000, 0);
  EXPECT_TRUE(run.publishes.empty());
}

TEST(InterferenceTest, ReaderThatIsStoppedReceivesEverythingWhenItGoesOn) {
  const TurnsRun run =
      TurnsRun::that_did("published", {"--does", "publish", "--stopped", "--every-ns", "5000000"});
  check_turns(run);
  for (const auto & turn : run.facts["turns"]) EXPECT_EQ(turn["stopped"], turn["on"]);
  EXPECT_GT(run.did("published"), 0);
  EXPECT_EQ(run.peer("reader", "times"), run.did("published") - run.did("failed"));
}

TEST(InterferenceTest, LargeMessagesAreTakenFromTheWriterOutside) {
  const TurnsRun run = TurnsRun::that_did(
      "received", {"--does", "take", "--bytes", "1000000", "--every-ns", "20000000"});
  check_turns(run);
  EXPECT_GT(run.peer("writer", "times"), 0);
  // A message that was being written when a turn ended may be counted in the next turn.
  EXPECT_LE(run.peer("writer", "times", false), 2);
  EXPECT_GT(run.did("received"), 0);
  EXPECT_EQ(run.did("received_bytes"), run.did("received") * 1'000'000);
}

TEST(InterferenceTest, MostUrgentTaskReadsByASubscriptionOfItsOwnOrOfBoth) {
  const TurnsRun other = TurnsRun::that_did(
      "received",
      {"--does", "take", "--bytes", "500000", "--every-ns", "25000000", "--reads", "other-topic"});
  check_turns(other);
  EXPECT_GT(other.did("received"), 0);
  EXPECT_GT(other.did("read"), 0);
  EXPECT_GT(other.did("read", false), 0);
  ASSERT_EQ(other.publishes.size(), other.jobs.size());
  EXPECT_GT(other.publishes.front().value, 0);

  const TurnsRun both = TurnsRun::that_did(
      "received", {"--does", "take", "--every-ns", "1000000", "--reads", "same-reader"});
  check_turns(both);
  EXPECT_GT(both.did("received"), 0);
  EXPECT_EQ(both.did("read"), 0);
  EXPECT_EQ(both.publishes.size(), both.jobs.size());
}

class InterferenceCallsTest : public ::testing::TestWithParam<std::string> {};

TEST_P(InterferenceCallsTest, AreAnsweredByAnotherProcess) {
  const TurnsRun run = TurnsRun::that_did(
      "received",
      {"--does", "call", "--bytes", "500000", "--every-ns", "25000000", "--sends", GetParam()});
  check_turns(run);
  EXPECT_GT(run.did("called"), 0);
  EXPECT_EQ(run.did("called", false), 0);
  EXPECT_GT(run.did("received"), 0);
  EXPECT_EQ(run.did("received_bytes"), run.did("received") * 500'000);
  EXPECT_GT(run.peer("server", "times"), run.did("called"));
  ASSERT_EQ(run.publishes.size(), run.jobs.size());
  EXPECT_GT(run.publishes.front().value, 0);
}

INSTANTIATE_TEST_SUITE_P(Each, InterferenceCallsTest,
                         ::testing::Values("other-service", "same-service", "same-client"),
                         testing::by_parameter);

TEST(InterferenceTest, NodesAreAddedWhileTheLeastUrgentTaskComputes) {
  const TurnsRun run =
      TurnsRun::that_did("added", {"--does", "add", "--busy-ns", "60000000", "--every-ns",
                                   "50000000", "--callbacks", "3", "--tasks", "20"});
  check_turns(run);
  EXPECT_GT(run.did("added"), 0);
  EXPECT_EQ(run.did("added", false), 0);
  EXPECT_GE(run.did("longest_job_ns"), 60'000'000);
}

TEST(InterferenceTest, NodeOfTheLeastUrgentTaskIsRemovedWhileItSleeps) {
  const TurnsRun run = TurnsRun::that_did(
      "removed_inside", {"--does", "remove", "--busy-ns", "60000000", "--every-ns", "100000000"});
  check_turns(run);
  EXPECT_GT(run.did("removed_inside"), 0);
  EXPECT_EQ(run.did("removed", false), 0);
  EXPECT_GE(run.did("longest_job_ns"), 60'000'000);
}

TEST(InterferenceTest, StrategiesAreExchangedWhileTheLeastUrgentTaskComputes) {
  const TurnsRun run = TurnsRun::that_did("switched", {"--does", "switch", "--busy-ns", "20000000",
                                                       "--every-ns", "25000000", "--tasks", "20"});
  check_turns(run);
  EXPECT_GT(run.did("switched"), 0);
  EXPECT_EQ(run.did("switched", false), 0);
}

TEST(InterferenceTest, AnotherExecutorBeginsAndEnds) {
  const TurnsRun run =
      TurnsRun::that_did("restarted", {"--does", "restart", "--every-ns", "50000000"});
  check_turns(run);
  EXPECT_GT(run.did("restarted"), 0);
  EXPECT_EQ(run.did("restarted", false), 0);
}

TEST(InterferenceTest, EachTaskFreesMemoryThatTheOtherHasAllocated) {
  const TurnsRun run = TurnsRun::that_did(
      "allocated", {"--does", "allocate", "--bytes", "4096", "--busy-ns", "5000000", "--every-ns",
                    "20000000", "--sends", "same-heap"});
  check_turns(run);
  EXPECT_GT(run.did("allocated"), 0);
  EXPECT_EQ(run.did("allocated", false), 0);
  EXPECT_EQ(run.publishes.size(), run.jobs.size());
}

TEST(InterferenceTest, BothTasksLogLines) {
  const TurnsRun run = TurnsRun::that_did(
      "logged", {"--does", "log", "--burst", "3", "--every-ns", "20000000", "--sends", "same-log"});
  check_turns(run);
  EXPECT_GT(run.did("logged"), 0);
  EXPECT_EQ(run.did("logged", false), 0);
  EXPECT_EQ(run.publishes.size(), run.jobs.size());
}

TEST(InterferenceTest, NodesComeAndGoInAnotherProcess) {
  const TurnsRun run = TurnsRun::until(
      [](const TurnsRun & each) {
        return each.peer("comer", "times") > 0 && each.peer("reader", "times") > 0;
      },
      {"--does", "discover", "--every-ns", "25000000", "--sends", "other-topic"});
  check_turns(run);
  EXPECT_GT(run.peer("comer", "times"), 0);
  EXPECT_LE(run.peer("comer", "times", false), 2);
  EXPECT_GT(run.peer("reader", "times"), 0);
  EXPECT_FALSE(run.publishes.empty());
}

TEST(InterferenceTest, NodesFollowTheTimeOfAnotherProcess) {
  const TurnsRun run = TurnsRun::that_did(
      "sim_jobs", {"--does", "clock", "--sim-nodes", "5", "--every-ns", "20000000"});
  check_turns(run);
  EXPECT_GT(run.peer("clock", "times"), 0);
  EXPECT_LE(run.peer("clock", "times", false), 2);
  EXPECT_GT(run.did("sim_jobs"), 0);
}

TEST(InterferenceTest, AMessageReleasesTheTaskBetweenWithinTheTakeOfALargeOne) {
  const TurnsRun run = TurnsRun::until(
      [](const TurnsRun & each) {
        return each.did("received") > 0 && each.did("middle_jobs") > 0 &&
               each.did("middle_jobs", false) > 0;
      },
      {"--does", "take", "--bytes", "500000", "--every-ns", "25000000", "--middle-ns", "5000000"});
  check_turns(run);
  EXPECT_GT(run.did("received"), 0);
  EXPECT_EQ(run.did("received", false), 0);
  EXPECT_GT(run.did("middle_jobs"), 0);
  EXPECT_GT(run.did("middle_jobs", false), 0);
}

class InterferencePublishesTest : public ::testing::TestWithParam<std::string> {};

TEST_P(InterferencePublishesTest, AndTellsHowLongEachTook) {
  const TurnsRun run = TurnsRun::until(
      [](const TurnsRun & each) {
        return each.did("published") > 0 && each.did("middle_jobs") > 0 &&
               each.did("middle_jobs", false) > 0;
      },
      {"--does", "publish", "--bytes", "500000", "--every-ns", "25000000", "--sends", GetParam(),
       "--middle-ns", "10000000"});
  check_turns(run);
  ASSERT_EQ(run.publishes.size(), run.jobs.size());
  for (std::size_t i = 0; i < run.jobs.size(); ++i) {
    EXPECT_EQ(run.publishes[i].at, run.jobs[i].start);
    EXPECT_GT(run.publishes[i].value, 0);
  }
  EXPECT_GT(run.did("middle_jobs"), 0);
  EXPECT_GT(run.did("middle_jobs", false), 0);
  EXPECT_GT(run.peer("reader", "times"), run.did("published"));
}

INSTANTIATE_TEST_SUITE_P(Each, InterferencePublishesTest,
                         ::testing::Values("other-topic", "same-topic", "same-publisher"),
                         testing::by_parameter);

class InterferenceOfRclcppTest : public ::testing::TestWithParam<std::string> {};

TEST_P(InterferenceOfRclcppTest, NodesHaveTheSameDoneToThem) {
  std::vector<std::string> options = {"--front-end", "takt-rclcpp", "--does",    GetParam(),
                                      "--sim-nodes", "3",           "--busy-ns", "20000000",
                                      "--every-ns",  "25000000"};
  if (GetParam() == "take") options.insert(options.end(), {"--reads", "other-topic"});
  if (GetParam() == "publish") options.emplace_back("--stopped");
  if (GetParam() == "switch") options.insert(options.end(), {"--tasks", "5"});
  const std::map<std::string, std::string> done = {
      {"publish", "bytes"},  {"take", "received"},   {"call", "received"},  {"add", "added"},
      {"remove", "removed"}, {"switch", "switched"}, {"clock", "sim_jobs"}, {"log", "logged"}};
  const TurnsRun run = TurnsRun::that_did(done.at(GetParam()), options);
  if (run.status != 0) return testing::expect_no_rclcpp(run.err);
  check_turns(run);
  EXPECT_GT(run.did(done.at(GetParam())), 0);
  EXPECT_EQ(run.did("read") > 0, GetParam() == "take");
}

INSTANTIATE_TEST_SUITE_P(Each, InterferenceOfRclcppTest,
                         ::testing::Values("publish", "take", "call", "add", "remove", "switch",
                                           "clock", "log"),
                         testing::by_parameter);

TEST(InterferenceTest, EverythingElseMayBeOnAnotherCpu) {
  const std::vector<int> cpus = os::allowed_cpus();
  if (cpus.size() < 2) GTEST_SKIP() << "needs two CPUs";
  for (const std::string front_end : {"takt", "takt-rclcpp"}) {
    const TurnsRun run = TurnsRun::that_did(
        "published", {"--front-end", front_end, "--does", "publish", "--sends", "other-topic",
                      "--every-ns", "20000000", "--beside-cpu", std::to_string(cpus.at(1))});
    if (run.status != 0) {
      testing::expect_no_rclcpp(run.err);
      continue;
    }
    check_turns(run);
    EXPECT_GT(run.did("published"), 0);
    ASSERT_EQ(run.publishes.size(), run.jobs.size());
  }
}

TEST(InterferenceTest, RefusesWhatCannotGoTogether) {
  for (const std::vector<std::string> & wrong : std::vector<std::vector<std::string>>{
           {"--does", "add", "--sends", "same-topic"},
           {"--sends", "same-client"},
           {"--sends", "same-heap"},
           {"--does", "take", "--stopped"},
           {"--reads", "same-reader"},
           {"--does", "take", "--reads", "same-reader", "--beside-cpu", "1"},
           {"--reads", "other-topic", "--sends", "other-topic"},
           {"--does", "clock"},
           {"--middle-ns", "100000000"}}) {
    const TurnsRun run(wrong);
    EXPECT_EQ(run.status, 1);
    EXPECT_EQ(testing::lines(run.err), 1) << run.err;
  }
}

}  // namespace
}  // namespace takt::lab
