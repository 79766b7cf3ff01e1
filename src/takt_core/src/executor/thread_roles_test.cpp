// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/executor/thread_roles.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <thread>
#include <vector>

#include "takt_core/os/event.hpp"
#include "takt_core/os/thread.hpp"
#include "takt_core/os/threads.hpp"
#include "testing/harness.hpp"

namespace takt::executor {
namespace {

PlannedThread entry(const std::vector<PlannedThread> & planned, int tid) {
  const auto found =
      std::find_if(planned.begin(), planned.end(),
                   [tid](const PlannedThread & thread) { return thread.tid == tid; });
  return found == planned.end() ? PlannedThread{} : *found;
}

TEST(ThreadRoleTest, FollowsTheName) {
  EXPECT_EQ(thread_role("takt.timer"), ThreadRole::timer);
  EXPECT_EQ(thread_role("takt.w12"), ThreadRole::worker);
  EXPECT_EQ(thread_role("takt.handler"), ThreadRole::handler);
  EXPECT_EQ(thread_role("takt.watchdog"), ThreadRole::background);
  EXPECT_EQ(thread_role("takt.log"), ThreadRole::background);
  EXPECT_EQ(thread_role("takt.clock"), ThreadRole::middleware);
  EXPECT_EQ(thread_role("dds.ev.0"), ThreadRole::events);
  EXPECT_EQ(thread_role("tev"), ThreadRole::events);
  EXPECT_EQ(thread_role("dds.asyn.0.0"), ThreadRole::ordinary);
  EXPECT_EQ(thread_role("dds.fwatch"), ThreadRole::background);
  EXPECT_EQ(thread_role("recvUC"), ThreadRole::middleware);
  EXPECT_EQ(thread_role("recvUCX"), ThreadRole::unknown);
  EXPECT_EQ(thread_role("dq.builtins"), ThreadRole::background);
  EXPECT_EQ(thread_role("python3"), ThreadRole::unknown);
  EXPECT_EQ(thread_role(""), ThreadRole::unknown);
}

TEST(ThreadRoleTest, PortsOfDiscoveryMayWait) {
  EXPECT_EQ(thread_role("dds.udp.7400"), ThreadRole::background);   // discovery, multicast
  EXPECT_EQ(thread_role("dds.udp.7401"), ThreadRole::middleware);   // data, multicast
  EXPECT_EQ(thread_role("dds.udp.7410"), ThreadRole::background);   // discovery, participant 0
  EXPECT_EQ(thread_role("dds.udp.7411"), ThreadRole::middleware);   // data, participant 0
  EXPECT_EQ(thread_role("dds.shm.7413"), ThreadRole::middleware);   // data, participant 1
  EXPECT_EQ(thread_role("dds.udp.17900"), ThreadRole::background);  // domain 42
  EXPECT_EQ(thread_role("dds.udp.17911"), ThreadRole::middleware);
  EXPECT_EQ(thread_role("dds.udp.5000"), ThreadRole::middleware);  // outside the default mapping
  EXPECT_EQ(thread_role("dds.udp."), ThreadRole::background);
  EXPECT_EQ(thread_role("dds.shm.wdog"), ThreadRole::background);
}

TEST(ThreadRoleTest, ThePlanIsAppliedToTheMiddlewareOnly) {
  os::Event end_data;
  os::Event end_own;
  const os::Thread data({.name = "dds.udp.7411"}, [&] { end_data.wait(); });
  const os::Thread own({.name = "somebody"}, [&] { end_own.wait(); });
  const PriorityPlan plan;
  const std::vector<PlannedThread> all = plan_middleware(plan);
  const PlannedThread planned = entry(all, data.tid());
  EXPECT_EQ(planned.role, "middleware");
  EXPECT_EQ(planned.asked, plan.middleware);
  EXPECT_EQ(planned.granted, os::realtime_priority(data.tid()));
  EXPECT_EQ(planned.error.empty(), planned.granted == plan.middleware);
  EXPECT_EQ(planned.granted == plan.middleware, testing::realtime_available());
  EXPECT_EQ(entry(all, own.tid()).tid, 0);
  EXPECT_EQ(os::realtime_priority(own.tid()), 0);
  end_data.post();
  end_own.post();
}

TEST(ThreadRoleTest, AnEventThreadIsBelowTheHighestOfSeveralWorkersAndAboveASingleOne) {
  os::Event end;
  const os::Thread event({.name = "dds.ev.0"}, [&] { end.wait(); });
  const PriorityPlan plan;
  const auto asked = [&](bool several_workers) {
    const PlannedThread planned =
        entry(plan_middleware(plan, {}, several_workers).planned, event.tid());
    EXPECT_EQ(planned.role, "events");
    EXPECT_EQ(planned.granted, os::realtime_priority(event.tid()));
    return planned.asked;
  };
  EXPECT_EQ(asked(true), plan.workers_high - 1);
  EXPECT_EQ(asked(false), plan.middleware);
  end.post();
}

TEST(ThreadRoleTest, RulesGoBeforeTheTableAndTheRestIsNamed) {
  os::Event ends[3];
  const os::Thread receives({.name = "link.rx.0"}, [&] { ends[0].wait(); });
  const os::Thread other({.name = "link.tx.0"}, [&] { ends[1].wait(); });
  const os::Thread event({.name = "dds.ev.0"}, [&] { ends[2].wait(); });
  const std::vector<ThreadRule> rules = {{"link.rx.*", ThreadRole::middleware},
                                         {"dds.ev.0", ThreadRole::background}};
  const MiddlewareThreads threads = plan_middleware({}, rules, true);
  EXPECT_EQ(entry(threads.planned, receives.tid()).role, "middleware");
  EXPECT_EQ(entry(threads.planned, receives.tid()).asked, PriorityPlan{}.middleware);
  EXPECT_EQ(entry(threads.planned, event.tid()).role, "background");
  EXPECT_EQ(entry(threads.planned, other.tid()).tid, 0);
  EXPECT_THAT(threads.unknown, ::testing::Contains("link.tx.0"));
  EXPECT_THAT(threads.unknown, ::testing::Not(::testing::Contains("link.rx.0")));
  for (os::Event & end : ends) end.post();
}

TEST(ThreadRoleTest, AThreadThatHasTheNameOfTaktsOwnAloneIsNotTakenForOne) {
  os::Event end;
  os::Event begun;
  const os::Thread own({.name = "takt.clock"}, [&] {
    // This thread does not name itself, so it has the name of the one that started it.
    std::thread other([&] {
      begun.post();
      end.wait();
    });
    other.join();
  });
  begun.wait();
  const MiddlewareThreads threads = plan_middleware({}, {}, true);
  EXPECT_THAT(threads.unknown, ::testing::Contains("takt.clock"));
  EXPECT_EQ(entry(threads.planned, own.tid()).role, "middleware");
  std::size_t called = 0;
  for (const os::ThreadInfo & each : os::threads_of_process()) {
    if (each.name != "takt.clock") continue;
    ++called;
    EXPECT_EQ(each.own, each.tid == own.tid());
    EXPECT_EQ(thread_role(each), each.own ? ThreadRole::middleware : ThreadRole::unknown);
    EXPECT_TRUE(each.own || each.priority == 0);
  }
  EXPECT_EQ(called, 2U);
  end.post();
}

TEST(ThreadRoleTest, ARuleThatFitsNothingOfAMiddlewaresIsRefused) {
  EXPECT_NO_THROW(ThreadRule({"rx-0", ThreadRole::ordinary}).validate());
  for (const ThreadRule & rule :
       {ThreadRule{"", ThreadRole::middleware}, ThreadRule{"*", ThreadRole::middleware},
        ThreadRule{"takt.w1", ThreadRole::background}, ThreadRule{"rx-0", ThreadRole::timer},
        ThreadRule{"a name of 16 ch.", ThreadRole::middleware}}) {
    EXPECT_THROW(rule.validate(), std::invalid_argument) << rule.name;
  }
}

// The thread busy-waits for locks that threads of lower priority may hold.
TEST(ThreadRoleTest, NoAsynchronousSenderKeepsAPriorityThatItInherited) {
  os::Event end;
  const os::Thread sender({.name = "dds.asyn.0.0", .priority = 1}, [&] { end.wait(); });
  const PlannedThread planned = entry(plan_middleware({.background = 1}), sender.tid());
  EXPECT_EQ(planned.role, "ordinary");
  EXPECT_EQ(planned.asked, 0);
  EXPECT_EQ(os::realtime_priority(sender.tid()), 0);
  end.post();
}

}  // namespace
}  // namespace takt::executor
