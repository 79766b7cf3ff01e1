// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// Adding and removing tasks while a processor spins.
#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <thread>

#include "takt_core/executor/processor.hpp"
#include "takt_core/os/clock.hpp"
#include "takt_core/os/threads.hpp"
#include "testing/harness.hpp"
#include "testing/modes.hpp"

namespace takt::executor {
namespace {

using namespace std::chrono_literals;
using testing::ms;
using testing::Rig;
using testing::timer;
using testing::Watched;

class ChangesTest : public testing::ModeTest {};
TAKT_FOR_ALL_MODES(ChangesTest);

TEST_P(ChangesTest, ATaskAddedWhileSpinningRunsOnTheGrid) {
  Rig rig(options("rm"), rights());
  Watched<int> first;
  rig.add(timer("n/first", ms), [&](const JobInfo &) { first.add(1); });
  const model::Time t0 = os::now();
  rig.processor().set_start(t0);
  rig.start();
  ASSERT_TRUE(first.wait_for_at_least(3));
  // Levels below, above and between the existing ones.
  for (const model::Duration period : {3 * ms, ms / 2, 2 * ms}) {
    Watched<int> runs;
    model::Time release = 0;
    const model::Time added = os::now();
    const auto id = rig.add(timer("n/added", period), [&](const JobInfo & job) {
      if (runs.get() == 0) release = job.release;
      runs.add(1);
    });
    ASSERT_TRUE(runs.wait_for_at_least(2));
    rig.processor().remove_task(id);
    EXPECT_EQ((release - t0) % period, 0);
    EXPECT_GE(release, added);
  }
  rig.stop();
}

TEST_P(ChangesTest, ARemovedTaskRunsNoMoreWhenTheCallReturns) {
  Rig rig(options("rm"), rights());
  for (int round = 0; round < 20; ++round) {
    Watched<int> runs;
    std::atomic<bool> inside{false};
    const auto id = rig.add(timer("n/brief", ms / 2), [&](const JobInfo &) {
      inside = true;
      testing::burn(200us);
      inside = false;
      runs.add(1);
    });
    if (round == 0) rig.start();
    ASSERT_TRUE(runs.wait_for_at_least(1));
    rig.processor().remove_task(id);
    EXPECT_FALSE(inside);
    // A late job would write to the stack of the next round, which the sanitizers would detect.
  }
}

TEST_P(ChangesTest, ACallbackMayAddATaskAndReleaseItAtOnce) {
  Rig rig(options("fp"), rights());
  Watched<int> added_runs;
  TaskId added = TaskId::none;
  model::Release release{};
  bool ran_inside = false;
  const auto adder = rig.add_event("n/adder", 10, [&](const JobInfo &) {
    const GroupId group = rig.processor().add_group({});
    added = rig.add_event(
        "n/added", 50,
        [&](const JobInfo & job) {
          EXPECT_EQ(job.task, added);
          added_runs.add(1);
        },
        group);
    EXPECT_EQ(rig.processor().counters(added).released, 0U);
    release = rig.processor().release(added);
    ran_inside = added_runs.get() > 0;
  });
  rig.start();
  rig.processor().release(adder);
  ASSERT_TRUE(added_runs.wait_for(1));
  rig.stop();
  EXPECT_EQ(ran_inside, preempts())
      << "the added task's job must run inside the callback if it can preempt it";
  EXPECT_EQ(release, model::Release::accepted);
  EXPECT_NE(added, adder);
  EXPECT_EQ(rig.processor().counters(added).finished, 1U);
}

// More urgent jobs do not wait for the change, nor does the change wait for a long job.
TEST_P(ChangesTest, TasksComeAndGoWhileAJobRuns) {
  Rig rig(options("fp"), rights());
  Watched<bool> end;
  Watched<bool> inside;
  const auto background = rig.add_event("n/background", 10, [&](const JobInfo &) {
    inside.set(true);
    EXPECT_TRUE(end.wait_for(true));
  });
  rig.start();
  rig.processor().release(background);
  ASSERT_TRUE(inside.wait_for(true));
  for (const int priority : {5, 20, 15, 1, 98}) {
    Watched<int> runs;
    const auto id = rig.add_event("n/x", priority, [&](const JobInfo &) { runs.add(1); });
    EXPECT_EQ(rig.processor().release(id), model::Release::accepted);
    if (preempts() && priority > 10) {
      EXPECT_TRUE(runs.wait_for(1));
    } else {
      EXPECT_EQ(runs.get(), 0);
    }
    rig.processor().remove_task(id);
  }
  end.set(true);
  rig.stop();
  EXPECT_EQ(rig.processor().counters(background).finished, 1U);
}

TEST_P(ChangesTest, WhatARemovedTaskNeededIsDestroyedBeforeTheCallReturns) {
  Rig rig(options("rm"), rights());
  for (const bool spinning : {false, true}) {
    if (spinning) rig.start();
    const auto id = rig.add(timer("n/a", ms), [](const JobInfo &) {});
    const auto needed = std::make_shared<int>(1);
    rig.processor().remove_task(id, needed);
    EXPECT_EQ(needed.use_count(), 1);
  }
}

TEST_P(ChangesTest, ACallbackMayRemoveItsOwnTask) {
  Rig rig(options("rm"), rights());
  Watched<bool> destroyed;
  int runs = 0;
  TaskId id = TaskId::none;
  std::shared_ptr<void> keep(nullptr, [&](void *) {
    EXPECT_EQ(Processor::current(), nullptr) << "`keep` must not be destroyed on a worker";
    destroyed.set(true);
  });
  Watched<int> others;
  id = rig.add(timer("n/once", ms), [&](const JobInfo &) {
    ++runs;
    rig.processor().remove_task(id, std::move(keep));
    EXPECT_FALSE(destroyed.get());
  });
  rig.add(timer("n/other", ms), [&](const JobInfo &) { others.add(1); });
  rig.start();
  ASSERT_TRUE(destroyed.wait_for(true));
  ASSERT_TRUE(others.wait_for_at_least(5));
  rig.stop();
  EXPECT_EQ(runs, 1);
  EXPECT_THROW(rig.processor().counters(id), std::invalid_argument);
}

TEST_P(ChangesTest, ACallbackMayRemoveAnotherTaskThatIsPending) {
  Rig rig(options("fp"), rights());
  std::atomic<int> victims{0};
  Watched<int> done;
  const auto victim = rig.add_event("n/victim", 10, [&](const JobInfo &) { ++victims; });
  const auto last = rig.add_event("n/last", 5, [&](const JobInfo &) { done.add(1); });
  const auto remover = rig.add_event("n/remover", 20, [&](const JobInfo &) {
    rig.processor().release(victim);
    rig.processor().release(last);
    rig.processor().remove_task(victim);
  });
  rig.start();
  rig.processor().release(remover);
  ASSERT_TRUE(done.wait_for(1));
  EXPECT_EQ(victims, 0);
  rig.stop();
}

TEST_P(ChangesTest, AnotherThreadMayLeaveItsChangeForLaterToo) {
  Rig rig(options("rm"), rights());
  Watched<bool> started;
  Watched<bool> asked;
  Watched<int> runs;
  const auto first = rig.add_event("n/first", 1, [&](const JobInfo &) {
    started.set(true);
    EXPECT_TRUE(asked.wait_for(true));
  });
  rig.start();
  rig.processor().release(first);
  ASSERT_TRUE(started.wait_for(true));
  {
    // Without this object, this thread would wait for the callback, which waits for this thread.
    const Processor::NonblockingRemoval nonblocking;
    EXPECT_TRUE(Processor::NonblockingRemoval::active());
    const auto second = rig.add_event("n/second", 1, [&](const JobInfo &) { runs.add(1); });
    rig.processor().release(second);
    rig.processor().remove_task(first);
  }
  EXPECT_FALSE(Processor::NonblockingRemoval::active());
  asked.set(true);
  EXPECT_TRUE(runs.wait_for(1));
  rig.stop();
}

TEST_P(ChangesTest, MistakesAreToldToTheCaller) {
  Rig rig(options("fp"), rights());
  Watched<int> done;
  const auto nothing = [](const JobInfo &) {};
  const auto try_all = [&] {
    EXPECT_THROW(rig.add({.id = "n/bad", .period = -1}, nothing), std::invalid_argument);
    EXPECT_THROW(rig.add({.id = "n/bad", .period = ms, .priority = 99}, nothing),
                 std::invalid_argument);
  };
  const auto id = rig.add_event("n/a", 1, [&](const JobInfo &) {
    try_all();
    EXPECT_THROW(rig.processor().remove_task(TaskId{4711}), std::invalid_argument);
    done.add(1);
  });
  try_all();
  EXPECT_THROW(rig.processor().remove_task(TaskId{4711}), std::invalid_argument);
  EXPECT_THROW(rig.processor().remove_group(GroupId{4711}), std::invalid_argument);
  rig.start();
  rig.processor().release(id);
  ASSERT_TRUE(done.wait_for(1));
  EXPECT_THROW(rig.processor().remove_task(TaskId{4711}), std::invalid_argument);
  EXPECT_THROW(rig.add({.id = "n/bad", .period = ms}, nothing, 0, GroupId{4711}),
               std::invalid_argument);
  rig.stop();
}

TEST_P(ChangesTest, WhatIsRemovedWithTheChangeThatAddsItNeverComes) {
  Rig rig(options("fp"), rights());
  const auto needed = std::make_shared<int>(1);
  // More tasks than there is room for so far.
  rig.processor().change([&](Changes & changes) {
    for (int i = 0; i < 200; ++i) {
      const auto id = changes.add_task(timer("n/x"), {});
      if (i > 0) changes.remove_task(id, needed);
    }
    EXPECT_EQ(changes.add_task(timer("n/y"), {}), TaskId{1});
  });
  EXPECT_EQ(needed.use_count(), 1);
  EXPECT_EQ(rig.processor().counters(TaskId{1}).released, 0U);
  EXPECT_THROW(rig.processor().counters(TaskId{2}), std::invalid_argument);
}

TEST_P(ChangesTest, AGroupLivesUntilItIsRemoved) {
  Rig rig(options("fp"), rights());
  const auto group = rig.processor().add_group({});
  const auto id = rig.add_event("n/a", 1, [](const JobInfo &) {}, group);
  rig.start();
  EXPECT_THROW(rig.processor().remove_group(group), std::invalid_argument);
  rig.processor().remove_task(id);
  rig.processor().remove_group(group);
  EXPECT_EQ(rig.processor().add_group({}), group) << "the number of a removed group is used again";
}

// Several threads add and remove tasks while jobs run; to be run with the sanitizers.
TEST_P(ChangesTest, ManyThreadsChangeTasksAtOnce) {
  Rig rig(options("edf"), rights());
  Watched<int> steady;
  rig.add(timer("n/steady", ms), [&](const JobInfo &) { steady.add(1); });
  rig.start();
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&, i] {
      for (int round = 0; round < 15; ++round) {
        Watched<int> runs;
        const auto id = rig.add(timer("n/x", ms + (i * 15 + round) * 10'000),
                                [&](const JobInfo &) { runs.add(1); });
        EXPECT_TRUE(runs.wait_for_at_least(1));
        rig.processor().remove_task(id);
      }
    });
  }
  for (std::thread & thread : threads) thread.join();
  EXPECT_TRUE(steady.wait_for_at_least(steady.get() + 2));
  rig.stop();
}

TEST(ChangesInOneModeTest, WorkersGetNewPrioritiesAsLevelsComeAndGo) {
  const bool realtime = testing::realtime_available();
  // Without rights there is one worker, without a real-time priority, whatever the levels.
  const auto expected = [&](std::vector<int> with_rights) {
    return realtime ? with_rights : std::vector<int>{0};
  };
  const auto priorities = [](Processor & processor) {
    std::vector<int> found;
    for (const PlannedThread & thread : processor.grants().threads) {
      if (thread.role == "worker") {
        EXPECT_EQ(os::realtime_priority(thread.tid), thread.granted);
        found.push_back(thread.granted);
      }
    }
    return found;
  };
  Rig rig({.policy = "fp"});
  Watched<int> runs;
  const auto count = [&](const JobInfo &) { runs.add(1); };
  const auto low = rig.add_event("n/low", 1, count);
  const auto high = rig.add_event("n/high", 90, count);
  rig.start();
  ASSERT_TRUE(runs.wait_for(0));
  for (const auto id : {low, high}) rig.processor().release(id);
  ASSERT_TRUE(runs.wait_for(2));
  EXPECT_EQ(priorities(rig.processor()), expected({44, 46}));
  const auto middle = rig.add_event("n/middle", 50, count);
  EXPECT_EQ(priorities(rig.processor()), expected({43, 44, 46}));
  rig.processor().remove_task(low);
  EXPECT_EQ(rig.processor().grants().levels, realtime ? 2U : 1U);
  for (const auto id : {middle, high}) rig.processor().release(id);
  ASSERT_TRUE(runs.wait_for(4));
  rig.stop();
}

}  // namespace
}  // namespace takt::executor
