// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// Jobs inside the middleware: for how long they defer other jobs, and waiting for an entity.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>

#include "os/testing/effective_priority.hpp"
#include "takt_core/executor/processor.hpp"
#include "takt_core/model/comparator_policy.hpp"
#include "takt_core/os/lock.hpp"
#include "takt_core/os/pi_mutex.hpp"
#include "takt_core/os/thread.hpp"
#include "takt_core/os/threads.hpp"
#include "testing/harness.hpp"
#include "testing/modes.hpp"

namespace takt::executor {
namespace {

using os::testing::effective_priority;
using testing::busy_until;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::Journal;
using testing::ms;
using ::testing::Not;
using testing::Rig;
using testing::Watched;

/// Starts are deferred for three quarters of Options::max_section, so a section may end within it
/// although it has deferred one for as long as it may.
constexpr std::chrono::milliseconds longer_than_allowed{1};

class SectionsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!testing::realtime_available()) GTEST_SKIP() << "no right to real-time priorities";
  }
  static Options options() {
    Options options{.policy = "fp"};
    options.watchdog_interval = 200 * ms;
    return options;
  }
  /// A job stays inside the middleware until a more urgent one, which it has released, has run.
  static void expect_preempted(Options options) {
    Rig rig(std::move(options));
    Entity entity("/large");
    std::atomic<bool> high_ran{false};
    bool seen = false;
    Watched<bool> done;
    const auto high = rig.add_event("n/high", 30, [&](const JobInfo &) { high_ran = true; });
    const auto low = rig.add_event("n/low", 10, [&](const JobInfo &) {
      {
        const Processor::Section section(entity);
        rig.processor().release(high);
        seen = busy_until(high_ran);
        testing::burn(longer_than_allowed);
      }
      done.set(true);
    });
    rig.start();
    rig.processor().release(low);
    ASSERT_TRUE(done.wait_for(true));
    EXPECT_TRUE(rig.log().wait_for("callback 'n/low' was inside the middleware of '/large' for"));
    rig.stop();
    EXPECT_TRUE(seen);
    EXPECT_THAT(rig.log().read(),
                Contains(HasSubstr("callback 'n/high' could not start for 150 us of it")));
    EXPECT_EQ(rig.processor().statistics().overlong_sections, 1U);
    EXPECT_EQ(rig.processor().statistics().deferred, 1U);
    EXPECT_EQ(rig.processor().statistics().entity_waits, 0U);
  }
};

TEST_F(SectionsTest, ALongOnePutsOthersOffForAWhileOnly) {
  expect_preempted(options());
}

TEST_F(SectionsTest, SoItIsWhereTheTimerThreadKeepsTheTime) {
  Options given = options();
  given.handlers.on_miss = [](const Miss &, const std::string &) {};
  expect_preempted(given);
}

TEST_F(SectionsTest, ALongOneIsReportedUnderAPolicyThatComparesJobs) {
  Options given = options();
  given.custom_policy = [] {
    return std::make_unique<model::ComparatorPolicy>(
        [](const model::Job &, const model::Task & a, const model::Job &, const model::Task & b) {
          return a.priority > b.priority;
        },
        "comparator", [](const model::Task & task) { return task.priority; });
  };
  expect_preempted(given);
}

TEST_F(SectionsTest, ALongOneIsReportedWithAJobThatCouldStartNotWithOneThatBecamePendingBefore) {
  Rig rig(options());
  std::atomic<bool> high_ran{false};
  Watched<bool> done;
  const auto lower = rig.add_event("n/lower", 5, [&](const JobInfo &) { done.set(true); });
  const auto high = rig.add_event("n/high", 30, [&](const JobInfo &) { high_ran = true; });
  const auto low = rig.add_event("n/low", 10, [&](const JobInfo &) {
    const Processor::Section section;
    rig.processor().release(lower);
    rig.processor().release(high);
    EXPECT_TRUE(busy_until(high_ran));
    testing::burn(longer_than_allowed);
  });
  rig.start();
  rig.processor().release(low);
  ASSERT_TRUE(done.wait_for(true));
  rig.stop();
  EXPECT_THAT(rig.log().read(), Contains(HasSubstr("callback 'n/high' could not start")));
  EXPECT_THAT(rig.log().read(), Not(Contains(HasSubstr("'n/lower'"))));
}

TEST_F(SectionsTest, ALongOneThatPutsOffNoJobIsOnlyCounted) {
  Rig rig(options());
  Watched<bool> done;
  const auto lower = rig.add_event("n/lower", 5, [&](const JobInfo &) { done.set(true); });
  const auto low = rig.add_event("n/low", 10, [&](const JobInfo &) {
    const Processor::Section section;
    rig.processor().release(lower);
    testing::burn(longer_than_allowed);
  });
  rig.start();
  rig.processor().release(low);
  ASSERT_TRUE(done.wait_for(true));
  rig.stop();
  EXPECT_EQ(rig.processor().statistics().overlong_sections, 1U);
  EXPECT_EQ(rig.processor().statistics().deferred, 0U);
  EXPECT_THAT(rig.log().read(), Not(Contains(HasSubstr("inside the middleware"))));
}

TEST_F(SectionsTest, ALongOneIsReportedWithAJobThatWasChosenBeforeItBegan) {
  constexpr int above_workers = PriorityPlan{}.handler;
  Rig rig(options());
  os::PiMutex mutex;
  std::atomic<bool> high_ran{false};
  Watched<bool> done;
  const auto high = rig.add_event("n/high", 30, [&](const JobInfo &) { high_ran = true; });
  const auto low = rig.add_event("n/low", 10, [&](const JobInfo &) {
    // While the thread waits for the mutex, this job has its priority, and the worker of the other
    // job does not get the CPU.
    mutex.lock();
    const os::Thread waits({.name = "test.waits", .priority = above_workers},
                           [&] { const os::Lock lock(mutex); });
    EXPECT_TRUE(busy_until([&] { return effective_priority() == above_workers; }));
    rig.processor().release(high);
    {
      const Processor::Section section;
      mutex.unlock();
      EXPECT_TRUE(busy_until(high_ran));
      testing::burn(longer_than_allowed);
    }
    done.set(true);
  });
  rig.start();
  rig.processor().release(low);
  ASSERT_TRUE(done.wait_for(true));
  rig.stop();
  EXPECT_THAT(rig.log().read(),
              Contains(HasSubstr("callback 'n/high' could not start for 150 us of it")));
}

TEST_F(SectionsTest, AJobInTheBackgroundIsUrgentInsideForAWhileOnly) {
  Rig rig(options());
  std::atomic<bool> other_ran{false};
  int before = -1;
  int after = -1;
  bool seen = false;
  Watched<bool> done;
  const auto other = rig.add_event("n/other", 30, [&](const JobInfo &) { other_ran = true; });
  model::Task greedy{.id = "n/greedy", .kind = model::TaskKind::subscription, .priority = 20};
  greedy.budget = ms;
  greedy.on_budget = model::OnBudget::background;
  const auto id = rig.add(greedy, [&](const JobInfo &) {
    busy_until([] { return os::realtime_priority(0) == 0; });
    {
      const Processor::Section section;
      before = os::realtime_priority(0);
      rig.processor().release(other);
      seen = busy_until(other_ran);
      after = os::realtime_priority(0);
    }
    done.set(true);
  });
  rig.start();
  rig.processor().release(id);
  ASSERT_TRUE(done.wait_for(true));
  rig.stop();
  EXPECT_GT(before, 0);
  EXPECT_TRUE(seen);
  EXPECT_EQ(after, 0);
}

TEST_F(SectionsTest, AnEntityHasOneUserWhoInheritsThePriorityOfWhoWaits) {
  Options given = options();
  given.max_section = 0;
  Rig rig(given);
  Entity entity("/shared");
  Journal journal;
  std::atomic<bool> high_wants{false};
  bool inherited = false;
  int urgent = 0;
  Watched<int> done;
  const auto middle = rig.add_event("n/middle", 20, [&](const JobInfo &) {
    journal.note("middle");
    done.add(1);
  });
  const auto high = rig.add_event("n/high", 30, [&](const JobInfo &) {
    urgent = effective_priority();
    high_wants = true;
    {
      const Processor::Section section(entity);
      journal.note("high");
    }
    done.add(1);
  });
  const auto low = rig.add_event("n/low", 10, [&](const JobInfo &) {
    {
      const Processor::Section section(entity);
      rig.processor().release(high);
      EXPECT_TRUE(busy_until(high_wants));
      inherited = busy_until([&] { return effective_priority() == urgent; });
      rig.processor().release(middle);
      journal.note("low");
    }
    journal.note("low again");
    done.add(1);
  });
  rig.start();
  rig.processor().release(low);
  ASSERT_TRUE(done.wait_for(3));
  EXPECT_TRUE(rig.log().wait_for("callback 'n/high' waited"));
  rig.stop();
  EXPECT_TRUE(inherited);
  EXPECT_THAT(journal.read(), ElementsAre("low", "high", "middle", "low again"));
  EXPECT_THAT(rig.log().read(),
              Contains(HasSubstr("of '/shared', which callback 'n/low' was using")));
  EXPECT_THAT(rig.log().read(), Not(Contains(HasSubstr("blocks"))));
  EXPECT_EQ(rig.processor().statistics().entity_waits, 1U);
  EXPECT_GT(rig.processor().statistics().longest_wait_ns, 0);
}

TEST_F(SectionsTest, AnEntityMayHaveAUserThatRunsNoJob) {
  Rig rig(options());
  Entity entity("/shared");
  std::atomic<bool> wants{false};
  Watched<bool> done;
  const auto task = rig.add_event("n/task", 10, [&](const JobInfo &) {
    wants = true;
    { const Processor::Section section(entity); }
    done.set(true);
  });
  rig.start();
  {
    const Processor::Section section(entity);
    rig.processor().release(task);
    EXPECT_TRUE(busy_until(wants));
    // Once this thread inherits a priority the job is waiting; 1 ms later the wait exceeds the
    // bound.
    EXPECT_TRUE(busy_until([&] { return effective_priority() > 0; }));
    testing::burn(longer_than_allowed);
  }
  ASSERT_TRUE(done.wait_for(true));
  EXPECT_TRUE(rig.log().wait_for("which a thread outside of callbacks was using"));
  rig.stop();
  EXPECT_EQ(rig.processor().statistics().entity_waits, 1U);
}

}  // namespace
}  // namespace takt::executor
