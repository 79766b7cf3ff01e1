// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// Which thread keeps the time on a preemptive processor: the worker of the highest level while it
// has no job, or the timer thread if something must be noticed while that worker runs a job.
#include <gtest/gtest.h>

#include <atomic>
#include <fstream>
#include <string>

#include "../trace/testing/trace_file.hpp"
#include "takt_core/executor/processor.hpp"
#include "takt_core/os/threads.hpp"
#include "testing/harness.hpp"
#include "testing/modes.hpp"

namespace takt::executor {
namespace {

using testing::busy_until;
using testing::ms;
using testing::Rig;
using testing::Watched;

/// The number of times that a thread of this process has gone to sleep.
std::uint64_t sleeps_of(int tid) {
  std::ifstream status("/proc/self/task/" + std::to_string(tid) + "/status");
  const std::string name = "voluntary_ctxt_switches:";
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(name)) return std::stoull(line.substr(name.size()));
  }
  ADD_FAILURE() << "no thread " << tid;
  return 0;
}

// Without preemption there is a single worker, which keeps the time.
class ProcessorTimekeeperTest : public testing::ModeTest {
 protected:
  static model::Task timer(const std::string & id, int priority) {
    return {.id = id, .period = ms, .deadline = ms, .priority = priority};
  }

  /// Adds a task of priority 90 whose job exhausts its budget, goes on in the background until a
  /// job of priority `below` has run, and then sets `ended`.
  TaskId add_greedy(Rig & rig, int below, Watched<bool> & ended) {
    const auto other =
        rig.add_event("n/other", below, [this](const JobInfo &) { other_ran_ = true; });
    return rig.add({.id = "n/greedy",
                    .kind = model::TaskKind::other,
                    .priority = 90,
                    .budget = ms,
                    .on_budget = model::OnBudget::background},
                   [&rig, &ended, other, this](const JobInfo &) {
                     rig.processor().release(other);
                     EXPECT_TRUE(busy_until(other_ran_));
                     ended.set(true);
                   });
  }

  /// The number of times that the timer thread goes to sleep during jobs of the timer that counts
  /// `ticks`.
  static std::uint64_t sleeps_meanwhile(Rig & rig, Watched<int> & ticks) {
    const auto pass = [&ticks](int jobs) {
      EXPECT_TRUE(ticks.wait_for_at_least(ticks.get() + jobs));
    };
    pass(3);  // wait until earlier events have had their effect
    int tid = 0;
    for (const PlannedThread & thread : rig.processor().grants().threads) {
      if (thread.role == "timer") tid = thread.tid;
    }
    const std::uint64_t before = sleeps_of(tid);
    pass(40);
    return sleeps_of(tid) - before;
  }

 private:
  std::atomic<bool> other_ran_{false};
};
TAKT_WHERE_IT_PREEMPTS(ProcessorTimekeeperTest);

TEST_P(ProcessorTimekeeperTest, TheWorkerOfTheHighestLevelSleepsToItsReleasesItself) {
  Rig rig(options("fp"));
  Watched<int> & ticks = rig.add_ticks();
  rig.add_event("n/below", 1, [](const JobInfo &) {});
  rig.start();
  EXPECT_EQ(sleeps_meanwhile(rig, ticks), 0U);
  rig.stop();
}

TEST_P(ProcessorTimekeeperTest, TheTimerThreadDoesWhileMissesAreTold) {
  Rig rig(options("fp"));
  Watched<int> & ticks = rig.add_ticks();
  rig.start();
  rig.processor().set_handlers({.on_miss = [](const Miss &, const std::string &) {}});
  EXPECT_GE(sleeps_meanwhile(rig, ticks), 30U);
  rig.processor().set_handlers({});
  EXPECT_EQ(sleeps_meanwhile(rig, ticks), 0U);
  rig.stop();
}

TEST_P(ProcessorTimekeeperTest, AHandlerGivenWhileAJobRunsIsToldOfItsMiss) {
  Rig rig(options("fp"));
  Watched<bool> runs;
  std::atomic<bool> told{false};
  std::atomic<bool> told_inside{false};
  Watched<bool> done;
  rig.add(timer("n/long", 20), [&](const JobInfo & job) {
    // If the job starts too late, its miss was noticed before there was a handler.
    if (done.get() || job.start >= job.deadline) return;
    runs.set(true);
    told_inside = busy_until(told);
    done.set(true);
  });
  rig.start();
  ASSERT_TRUE(runs.wait_for(true));
  rig.processor().set_handlers(
      {.on_miss = [&](const Miss &, const std::string &) { told = true; }});
  ASSERT_TRUE(done.wait_for(true));
  rig.stop();
  EXPECT_TRUE(told_inside);
}

TEST_P(ProcessorTimekeeperTest, ABudgetThatComesLaterEndsInTime) {
  Rig rig(options("fp"));
  Watched<int> & ticks = rig.add_ticks();
  rig.start();
  ASSERT_TRUE(ticks.wait_for_at_least(2));
  Watched<bool> done;
  const auto greedy = add_greedy(rig, 5, done);
  EXPECT_GE(sleeps_meanwhile(rig, ticks), 30U);
  rig.processor().release(greedy);
  ASSERT_TRUE(done.wait_for(true));
  rig.processor().remove_task(greedy);
  EXPECT_EQ(sleeps_meanwhile(rig, ticks), 0U);
  rig.stop();
}

TEST_P(ProcessorTimekeeperTest, WhoeverIsTheHighestNowPreemptsThoseBelow) {
  Rig rig(options("fp"));
  std::atomic<bool> high_ran{false};
  std::atomic<bool> higher_ran{false};
  Watched<int> done;
  rig.add(timer("n/high", 20), [&](const JobInfo &) { high_ran = true; });
  std::atomic<bool> * awaited = &high_ran;  // read by the next job
  const auto low = rig.add_event("n/low", 5, [&](const JobInfo &) {
    *awaited = false;
    EXPECT_TRUE(busy_until(*awaited));
    done.add(1);
  });
  rig.start();
  const auto run_low = [&](std::atomic<bool> & flag, int count) {
    awaited = &flag;
    rig.processor().release(low);
    ASSERT_TRUE(done.wait_for(count));
  };
  run_low(high_ran, 1);
  const auto higher = rig.add(timer("n/higher", 30), [&](const JobInfo &) { higher_ran = true; });
  run_low(higher_ran, 2);
  run_low(high_ran, 3);
  rig.processor().remove_task(higher);
  run_low(high_ran, 4);
  rig.stop();
}

TEST_P(ProcessorTimekeeperTest, AScenarioAskedForTakesEffectWhileItRunsAJob) {
  Rig rig(options("fp"));
  rig.processor().set_scenarios(std::vector<Scenario>(2), model::base_scenario);
  Watched<bool> runs;
  Watched<bool> done;
  const auto high = rig.add_event("n/high", 20, [&](const JobInfo &) {
    runs.set(true);
    EXPECT_TRUE(busy_until([&] { return rig.processor().statistics().scenario == 1; }));
    done.set(true);
  });
  rig.start();
  rig.processor().release(high);
  ASSERT_TRUE(runs.wait_for(true));
  rig.processor().request_scenario(1);
  ASSERT_TRUE(done.wait_for(true));
  rig.stop();
}

TEST_P(ProcessorTimekeeperTest, WhatOthersMissMeanwhileIsCountedBeforeAJobThatHangsEnds) {
  Rig rig(options("fp"));
  Watched<bool> done;
  const auto low = rig.add(timer("n/low", 1), [](const JobInfo &) {});
  const auto high = rig.add_event("n/high", 20, [&](const JobInfo &) {
    const std::uint64_t before = rig.processor().counters(low).missed;
    EXPECT_TRUE(busy_until([&] { return rig.processor().counters(low).missed > before; }));
    done.set(true);
  });
  rig.start();
  rig.processor().release(high);
  ASSERT_TRUE(done.wait_for(true));
  rig.stop();
}

TEST_P(ProcessorTimekeeperTest, OneThatWasASpareKeepsItAtThePriorityOfItsLevel) {
  Rig rig(options("fp"));
  Watched<bool> lowered_ended;
  rig.add_event("n/as-urgent", 90, [](const JobInfo &) {});
  const auto greedy = add_greedy(rig, 10, lowered_ended);
  rig.start();
  rig.processor().release(greedy);
  ASSERT_TRUE(lowered_ended.wait_for(true));
  rig.processor().remove_task(greedy);
  // The only spare worker is now the one that had left its level.
  int spares = 0;
  for (const PlannedThread & thread : rig.processor().grants().threads) {
    if (thread.role == "worker") spares += os::realtime_priority(thread.tid) == 0 ? 1 : 0;
  }
  rig.stop();
  EXPECT_EQ(spares, 1);
}

TEST_P(ProcessorTimekeeperTest, WhatWasDueWhileItRanAJobCountsAsNoticedInTime) {
  trace::testing::TraceFile file;
  Options traced = options("fp");
  traced.trace = std::make_shared<trace::Recorder>(trace::Options{.file = file.path()});
  Rig rig(traced);
  Watched<bool> done;
  const auto high = rig.add_event("n/high", 20, [&](const JobInfo &) {
    testing::burn(std::chrono::milliseconds(5));
    done.set(true);
  });
  Watched<int> & ticks = rig.add_ticks();
  rig.start();
  ASSERT_TRUE(ticks.wait_for_at_least(1));
  rig.processor().release(high);
  ASSERT_TRUE(done.wait_for(true));
  ASSERT_TRUE(ticks.wait_for_at_least(ticks.get() + 2));
  rig.stop();
  traced.trace->close();
  model::Time begin = 0;
  model::Time end = 0;
  const auto events = file.events();
  for (const trace::Event & event : events) {
    if (event.task != to_number(high)) continue;
    if (event.kind == trace::Kind::start) begin = event.at;
    if (event.kind == trace::Kind::finish) end = event.at;
  }
  int releases = 0;
  for (const trace::Event & event : events) {
    const bool release = event.kind == trace::Kind::release || event.kind == trace::Kind::skip;
    if (!release || event.task == to_number(high) || event.value < begin || event.value > end)
      continue;
    EXPECT_EQ(event.at, event.value);
    ++releases;
  }
  // One is queued, and one event represents all skipped ones that follow.
  EXPECT_GE(releases, 2);
}

}  // namespace
}  // namespace takt::executor
