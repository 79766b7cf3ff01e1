// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// Random tasks on real threads, with invariants checked inside the callbacks.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <random>
#include <thread>

#include "model/testing/random_seed.hpp"
#include "takt_core/executor/processor.hpp"
#include "takt_core/os/rights.hpp"
#include "testing/harness.hpp"
#include "testing/modes.hpp"

namespace takt::executor {
namespace {

using testing::ms;
using testing::Rig;
using testing::Watched;

// The priorities of the jobs that are inside their functions, one bit each. If all threads share a
// CPU, a less urgent job never proceeds while a more urgent one is inside: if that waits for the
// processor's lock, the holder inherits its priority. With a holder on another CPU, jobs that were
// started before may proceed.
class Inside {
 public:
  /// `ordered`: a job that starts inside another one must be more urgent.
  Inside(bool may_nest, bool ordered) : may_nest_(may_nest), ordered_(ordered) {}

  void enter(int priority) {
    const std::uint32_t before = jobs_.fetch_or(1U << priority);
    EXPECT_TRUE(may_nest_ || before == 0);
    if (ordered_) {
      EXPECT_EQ(before >> priority, 0U) << "only a more urgent job may start inside another";
    }
    EXPECT_FALSE(in_section_) << "no job may start inside a middleware section";
  }
  void leave(int priority) { jobs_.fetch_and(~(1U << priority)); }
  void section(bool inside) { in_section_ = inside; }

 private:
  const bool may_nest_;
  const bool ordered_;
  std::atomic<std::uint32_t> jobs_{0};
  std::atomic<bool> in_section_{false};
};

class StressTest : public testing::ModeTest {
 protected:
  enum class Where : std::uint8_t { one_cpu, anywhere };
  /// `refreshes`: tasks read what others publish, which is always too old. `budgets`: some tasks
  /// exhaust theirs. `max_section`: of the processor.
  void stress(Where where, bool refreshes = false, bool budgets = false,
              model::Duration max_section = testing::unbounded) const;
};
TAKT_FOR_ALL_MODES(StressTest);

TEST_P(StressTest, InvariantsHoldOnOneCpu) {
  std::thread([this] {
    os::pin(0, os::allowed_cpus().front());  // and all threads that this thread starts
    stress(Where::one_cpu);
  }).join();
}

TEST_P(StressTest, InvariantsHoldWhoeverRunsElsewhere) {
  stress(Where::anywhere);
}

TEST_P(StressTest, InvariantsHoldWhileProducersGoBeforeTheirReaders) {
  std::thread([this] {
    os::pin(0, os::allowed_cpus().front());
    stress(Where::one_cpu, true);
  }).join();
}

TEST_P(StressTest, InvariantsHoldWhileJobsGoOnInTheBackground) {
  std::thread([this] {
    os::pin(0, os::allowed_cpus().front());
    stress(Where::one_cpu, false, true);
  }).join();
}

TEST_P(StressTest, InvariantsHoldWhereSectionsArePreempted) {
  std::thread([this] {
    os::pin(0, os::allowed_cpus().front());
    stress(Where::one_cpu, false, true, 20'000);
  }).join();
}

TEST_P(StressTest, InvariantsHoldWhereSectionsArePreemptedAndWhoeverRunsElsewhere) {
  stress(Where::anywhere, false, false, 20'000);
}

void StressTest::stress(Where where, bool refreshes, bool budgets,
                        model::Duration max_section) const {
  constexpr int tasks = 16;
  constexpr int groups = 4;
  constexpr std::uint64_t jobs = 3000;
  std::mt19937_64 random(model::testing::random_seed());
  const auto any = [&](std::uint64_t bound) { return static_cast<int>(random() % bound); };

  // A job that refreshes data for its reader may be less urgent than the job in which it starts.
  Inside inside(preempts(), where == Where::one_cpu && !refreshes);
  std::array<std::atomic<int>, groups> busy{};
  std::array<GroupId, groups> ids{};
  std::vector<TaskId> events;
  std::atomic<std::uint64_t> finished{0};
  Watched<bool> enough;
  std::array<Entity, 2> entities{Entity("/a"), Entity("/b")};
  std::array<std::atomic<int>, 2> used{};
  Options given = options("fp");
  given.max_section = max_section;
  const bool defers = max_section == testing::unbounded;
  Rig rig(given, rights());
  rig.processor().set_observer(
      [](void *, const FinishedJob & job) {
        EXPECT_GE(job.execution, 0);
        EXPECT_LE(job.execution, job.finish - job.info.start);
      },
      nullptr);
  for (auto & id : ids) id = rig.processor().add_group({.exclusive = true});

  for (int i = 0; i < tasks; ++i) {
    const int priority = 1 + any(10);
    const bool lowerable = budgets && i % 4 == 0;
    const auto group = lowerable ? groups : static_cast<std::size_t>(any(groups + 1));
    const auto work = std::chrono::microseconds((lowerable ? 100 : 0) + any(200));
    const bool section = any(2) == 0;
    const bool timer = i < tasks / 2;
    const auto other = static_cast<std::size_t>(any(tasks));
    model::Task task;
    task.id = "n/t" + std::to_string(i);
    task.kind = timer ? model::TaskKind::timer : model::TaskKind::subscription;
    task.period = timer ? (1 + any(5)) * ms : any(2) * ms / 2;
    task.phase = timer ? any(5) * ms / 5 : 0;
    task.deadline = timer ? task.period : ms;
    task.priority = priority;
    task.queue = static_cast<std::uint32_t>(any(3));
    // A job in the background is inside while any other job runs.
    if (lowerable) {
      task.budget = 50'000;
      task.on_budget = model::OnBudget::background;
    }
    if (refreshes) {
      // Tasks with lower numbers produce for those with higher ones, so that there is no cycle.
      task.data.outputs = {static_cast<model::ChannelId>(i)};
      task.data.extra_releases = any(2) == 0;
      if (i > 0 && any(3) > 0) {
        task.data.inputs = {
            {.channel = static_cast<model::ChannelId>(any(std::uint64_t(i))),
             .max_age = ms,
             .on_stale = any(2) == 0 ? model::OnStale::skip : model::OnStale::report}};
      }
    }
    const auto body = [&, priority, group, work, section, other, lowerable](const JobInfo & job) {
      if (!lowerable) inside.enter(priority);
      if (group < groups) {
        EXPECT_EQ(busy[group].fetch_add(1), 0) << "two jobs of an exclusive group ran at once";
      }
      EXPECT_LE(job.release, job.start);
      if (section) {
        const auto which = static_cast<std::size_t>(priority % 2);
        const Processor::Section open(entities[which]);
        EXPECT_EQ(used[which].fetch_add(1), 0) << "two jobs used the same entity at the same time";
        if (defers) inside.section(true);
        testing::burn(work / 2);
        if (defers) inside.section(false);
        used[which].fetch_sub(1);
      }
      if (!events.empty()) rig.processor().release(events[other % events.size()]);
      testing::burn(work / 2);
      if (group < groups) busy[group].fetch_sub(1);
      if (!lowerable) inside.leave(priority);
      if (++finished == jobs) enough.set(true);
    };
    const auto id = rig.add(task, body, 0, group < groups ? ids[group] : GroupId::none);
    if (!timer) events.push_back(id);
  }

  std::atomic<bool> end{false};
  std::thread middleware([&, from = random()] {
    std::mt19937_64 choice(from);
    while (!end) {
      rig.processor().release(events[choice() % events.size()]);
      // Waits for some jobs, so that releases are made at the pace of the processor, however fast
      // the machine is: its timers run anyway.
      const std::uint64_t next = finished + choice() % 4;
      while (finished < next && !end) std::this_thread::yield();
    }
  });
  rig.start();
  EXPECT_TRUE(enough.wait_for(true));
  rig.stop();
  // Whether there are any is a matter of chance; if not requested there are none.
  const Statistics statistics = rig.processor().statistics();
  EXPECT_TRUE(refreshes || statistics.ages.refreshed == 0);
  EXPECT_TRUE((budgets && preempts()) || statistics.loads.lowered == 0);
  end = true;
  middleware.join();
}

}  // namespace
}  // namespace takt::executor
