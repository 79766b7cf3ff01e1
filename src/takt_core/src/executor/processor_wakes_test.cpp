// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// Threads of low priority that release jobs lose the CPU as soon as they have unlocked.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>

#include "os/testing/effective_priority.hpp"
#include "takt_core/executor/priority_plan.hpp"
#include "takt_core/model/urgency_policy.hpp"
#include "takt_core/os/event.hpp"
#include "takt_core/os/threads.hpp"
#include "testing/harness.hpp"

namespace takt::executor {
namespace {

using os::testing::effective_priority;
using testing::busy_until;
using ::testing::ElementsAre;
using testing::Journal;
using testing::Rig;

/// While an ordinary thread releases an urgent task, a thread above the workers waits for the lock.
/// When it has it, it wakes a thread that is less urgent than any worker. All are on one CPU, so the
/// ordinary thread does not go on before that one has ended.
TEST(WakesTest, AJobThatAnOrdinaryThreadReleasesStartsBeforeThatThreadLosesTheCpu) {
  if (!testing::realtime_available()) GTEST_SKIP() << "no right to real-time priorities";
  constexpr int above_workers = PriorityPlan{}.handler;
  os::Event ask;
  os::Event hog;
  std::atomic<bool> holds_the_lock{false};
  bool waited_for = false;
  const int cpu = testing::two_cpus().front();
  Options options{.cpu = cpu};
  // The rank of a job is calculated under the lock, by the thread that releases it.
  options.custom_policy = [&] {
    return std::make_unique<model::UrgencyPolicy>(
        "hooked",
        [&](const model::Task & task, const model::Job &, const model::ApplicationState &) {
          if (holds_the_lock.exchange(false)) {
            ask.post();
            waited_for = busy_until([&] { return effective_priority() == above_workers; });
          }
          return -task.priority;
        },
        [](const model::Task & task) { return task.priority; });
  };
  Rig rig(options);
  Journal journal;
  testing::Watched<int> done;
  const TaskId urgent = rig.add_event("n/urgent", 30, [&](const JobInfo &) {
    journal.note("urgent");
    done.add(1);
  });
  rig.start();
  rig.processor().release(urgent);
  ASSERT_TRUE(done.wait_for(1)) << "from now on it spins";
  {
    const os::Thread less_urgent({.name = "test.hog", .priority = 1, .cpu = cpu}, [&] {
      hog.wait();
      journal.note("hog");
    });
    const os::Thread asks({.name = "test.asks", .priority = above_workers, .cpu = cpu}, [&] {
      ask.wait();
      rig.processor().statistics();
      hog.post();
    });
    const os::Thread ordinary({.name = "test.ordinary", .cpu = cpu}, [&] {
      holds_the_lock = true;
      rig.processor().release(urgent);
    });
  }
  EXPECT_TRUE(done.wait_for(2));
  rig.stop();
  EXPECT_TRUE(waited_for);
  EXPECT_THAT(journal.read(), ElementsAre("urgent", "urgent", "hog"));
}

}  // namespace
}  // namespace takt::executor
