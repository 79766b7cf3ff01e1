// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// What a processor reports about what it was granted.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

#include "grants_record.hpp"
#include "takt_core/executor/processor.hpp"
#include "takt_core/os/event.hpp"
#include "takt_core/os/rights.hpp"
#include "takt_core/os/thread.hpp"
#include "takt_core/os/threads.hpp"
#include "takt_core/os/throttling.hpp"
#include "testing/harness.hpp"

namespace takt::executor {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using testing::Rig;
using testing::Watched;

struct Spun {
  Grants grants;
  std::vector<std::string> log;
};

// Spins until a job has run.
Spun spin(Options options, bool rights, int times = 1) {
  Rig rig(std::move(options), rights);
  Spun spun;
  Watched<int> & ticks = rig.add_ticks();
  for (int i = 0; i < times; ++i) {
    const int before = ticks.get();
    rig.start();
    EXPECT_TRUE(ticks.wait_for_at_least(before + 1));
    spun.grants = rig.processor().grants();
    for (const PlannedThread & thread : spun.grants.threads) {
      EXPECT_EQ(thread.granted, os::realtime_priority(thread.tid)) << thread.name;
      EXPECT_EQ(thread.cpu, os::pinned_cpu(thread.tid)) << thread.name;
    }
    rig.stop();
  }
  spun.log = rig.log().read();
  return spun;
}

std::vector<std::string> names(const Grants & grants) {
  std::vector<std::string> names;
  for (const PlannedThread & thread : grants.threads) names.push_back(thread.name);
  return names;
}

TEST(GrantsTest, EverythingWithRightsAndAllButPrioritiesWithout) {
  const bool realtime = testing::realtime_available();
  const int cpu = os::allowed_cpus().back();
  const Spun spun = spin({.policy = "rm", .cpu = cpu}, true);
  EXPECT_EQ(spun.grants.policy, "rm");
  EXPECT_EQ(spun.grants.policy_in_use, realtime ? "rm" : "np-rm");
  EXPECT_EQ(spun.grants.realtime, realtime);
  EXPECT_TRUE(spun.grants.pinned);
  EXPECT_EQ(spun.grants.cpu, cpu);
  EXPECT_EQ(spun.grants.levels, 1U);
  if (!realtime) {
    EXPECT_THAT(spun.grants.refused, Contains(HasSubstr("policy rm runs as np-rm")));
    EXPECT_THAT(names(spun.grants), ::testing::ElementsAre("takt.w1"));
    return;
  }
  EXPECT_THAT(spun.grants.refused, IsEmpty());
  EXPECT_THAT(names(spun.grants), ::testing::ElementsAre("takt.timer", "takt.w1"));
  EXPECT_THAT(spun.log, IsEmpty());
}

TEST(GrantsTest, WithoutRightsItSaysSoOnceAndWhatToDo) {
  const Spun spun = spin({.policy = "rm"}, false, 3);
  EXPECT_EQ(spun.grants.policy, "rm");
  EXPECT_EQ(spun.grants.policy_in_use, "np-rm");
  EXPECT_FALSE(spun.grants.realtime);
  EXPECT_THAT(names(spun.grants), ::testing::ElementsAre("takt.w1"));
  EXPECT_EQ(spun.grants.threads[0].asked, 46);
  EXPECT_EQ(spun.grants.threads[0].granted, 0);
  EXPECT_THAT(spun.grants.refused, Contains(HasSubstr("prlimit --rtprio=99")));
  EXPECT_THAT(spun.grants.refused, Contains(HasSubstr("policy rm runs as np-rm")));
  EXPECT_EQ(spun.log, spun.grants.refused) << "each refusal is logged once, not at every spin";
}

TEST(GrantsTest, ACpuThatIsNotThereIsRefusedAndReported) {
  const Spun spun = spin({.policy = "np-rm", .cpu = 1000}, true);
  EXPECT_FALSE(spun.grants.pinned);
  EXPECT_EQ(spun.grants.cpu, 1000);
  EXPECT_THAT(spun.grants.refused, Contains(HasSubstr("CPU 1000 refused")));
}

TEST(GrantsTest, ThreadsThatThePlanDoesNotKnowAreNoted) {
  os::Event end;
  const os::Thread thread({.name = "link.rx.7"}, [&] { end.wait(); });
  const Spun unknown = spin({.policy = "rm"}, true);
  const Spun known =
      spin({.policy = "rm", .thread_roles = {{"link.rx.*", ThreadRole::middleware}}}, true);
  end.post();
  EXPECT_THAT(unknown.grants.notes, Contains(HasSubstr("'link.rx.7'")));
  EXPECT_THAT(known.grants.notes, Not(Contains(HasSubstr("'link.rx.7'"))));
  EXPECT_THAT(names(known.grants), Contains("link.rx.7"));
}

TEST(GrantsTest, ThreadsThatCallbacksStartAndThatHaveNoNameAreNoted) {
  os::Event end;
  os::Event begun;
  std::thread thread;
  {
    const os::Thread worker({.name = "takt.w7"}, [&] {
      thread = std::thread([&] {
        begun.post();
        end.wait();
      });
    });
  }
  begun.wait();
  const Spun spun = spin({.policy = "rm"}, true);
  end.post();
  thread.join();
  EXPECT_THAT(spun.grants.notes,
              Contains(HasSubstr("a thread without a name of its own, started by a callback (it is "
                                 "called takt.w7)")));
}

TEST(GrantsTest, WhatTheKernelKeepsForOrdinaryThreadsIsNoted) {
  const int cpu = os::allowed_cpus().back();
  const Spun spun = spin({.policy = "np-rm", .cpu = cpu}, true);
  for (const std::string & note : {os::realtime_throttling(), os::fair_server(cpu)}) {
    if (!note.empty()) {
      EXPECT_THAT(spun.grants.notes, Contains(note));
    }
  }
}

TEST(GrantsTest, WhoIsToldThatTheCpuWasTakenFindsItInThem) {
  std::vector<Grants> when_told;
  const GrantsRecord * recorded = nullptr;
  Log log([&](const std::string &) { when_told.push_back(recorded->read()); });
  GrantsRecord record(log);
  recorded = &record;
  const auto on = [](int cpu) {
    return std::vector<PlannedThread>{{"takt.w1", 1, "worker", 46, 46, cpu, {}}};
  };
  record.set_asked("rm", 3);
  record.set_threads(on(3));
  record.set_cpu_kept(true, on(3));
  EXPECT_THAT(when_told, IsEmpty());
  record.set_cpu_kept(false, on(-1));
  record.set_cpu_kept(false, on(-1));
  record.set_cpu_kept(true, on(3));
  ASSERT_EQ(when_told.size(), 2U);
  EXPECT_FALSE(when_told[0].pinned);
  EXPECT_EQ(when_told[0].threads.at(0).cpu, -1);
  EXPECT_THAT(when_told[0].refused, Contains(HasSubstr("CPU 3 was taken")));
  EXPECT_TRUE(when_told[1].pinned);
  EXPECT_THAT(when_told[1].refused, IsEmpty());
}

TEST(GrantsTest, LevelsBeyondTheBandAreMergedAndReported) {
  Rig rig({.policy = "fp", .plan = {.timer = 20, .workers_high = 19, .workers_low = 10}});
  Watched<int> runs;
  TaskId last = TaskId::none;
  for (int priority = 1; priority <= 30; ++priority) {
    last = rig.add_event("n/a", priority, [&](const JobInfo &) { runs.add(1); });
  }
  rig.start();
  rig.processor().release(last);
  ASSERT_TRUE(runs.wait_for(1));
  const Grants grants = rig.processor().grants();
  rig.stop();
  if (!testing::realtime_available()) {  // a single worker needs no range of priorities
    EXPECT_EQ(grants.levels, 1U);
    EXPECT_EQ(grants.merged_levels, 0U);
    EXPECT_THAT(rig.log().read(), Not(Contains(HasSubstr("preemption levels"))));
    return;
  }
  EXPECT_EQ(grants.levels, 9U);
  EXPECT_EQ(grants.merged_levels, 21U);
  EXPECT_THAT(rig.log().read(), ::testing::ElementsAre(HasSubstr("21 of 30 preemption levels")));
}

}  // namespace
}  // namespace takt::executor
