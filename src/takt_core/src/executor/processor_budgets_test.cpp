// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// Budgets of CPU time on real threads.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <optional>
#include <set>
#include <string>
#include <thread>

#include "takt_core/executor/processor.hpp"
#include "takt_core/os/clock.hpp"
#include "takt_core/os/threads.hpp"
#include "testing/harness.hpp"
#include "testing/modes.hpp"

namespace takt::executor {
namespace {

using namespace std::chrono_literals;
using testing::busy_until;
using testing::ms;
using testing::Rig;
using testing::Watched;

// Under fixed priorities. Without preemption an exhausted budget is reported at the end of the job,
// and no job is lowered.
class ProcessorBudgetsTest : public testing::ModeTest {
 protected:
  static model::Task event(const std::string & id, int priority) {
    return {.id = id, .kind = model::TaskKind::other, .priority = priority};
  }
  /// A task that may use 1 ms of CPU time, and then goes on in the background.
  static model::Task greedy(const std::string & id, int priority) {
    model::Task task = event(id, priority);
    task.budget = ms;
    task.on_budget = model::OnBudget::background;
    return task;
  }
  /// Exceeds that budget: busy-waits for the flag, which a job sets that can run only then, or,
  /// where no job preempts, uses 3 ms.
  void overdo(const std::atomic<bool> & flag) const {
    if (preempts()) {
      EXPECT_TRUE(busy_until(flag));
    } else {
      testing::burn(3ms);
    }
  }
};
TAKT_FOR_ALL_MODES(ProcessorBudgetsTest);

TEST_P(ProcessorBudgetsTest, OthersGoOnWhileAGreedyJobIsInTheBackground) {
  for (const int other_priority : {10, 20}) {  // less urgent, or of the same level
    Rig rig(options("fp"), rights());
    Watched<int> done;
    std::atomic<bool> other_ran{false};
    const auto other = rig.add(event("n/other", other_priority), [&](const JobInfo &) {
      other_ran = true;
      done.add(1);
    });
    bool seen_inside = false;
    int priority_inside = -1;
    const auto id = rig.add(greedy("n/greedy", 20), [&](const JobInfo & job) {
      rig.processor().release(other);
      overdo(other_ran);
      seen_inside = other_ran;
      priority_inside = os::realtime_priority(0);
      EXPECT_EQ(Processor::current_job()->task, job.task);
      done.add(1);
    });
    rig.start();
    rig.processor().release(id);
    ASSERT_TRUE(done.wait_for(2));
    rig.stop();
    EXPECT_EQ(seen_inside, preempts());
    if (preempts()) {
      EXPECT_EQ(priority_inside, PriorityPlan{}.background);
    }
    const model::TaskCounters counters = rig.processor().counters(id);
    EXPECT_EQ(counters.exhausted, 1U);
    EXPECT_EQ(counters.lowered, preempts() ? 1U : 0U);
    EXPECT_EQ(counters.finished, 1U);
    const Statistics statistics = rig.processor().statistics();
    EXPECT_EQ(statistics.loads.exhausted, 1U);
    EXPECT_EQ(statistics.loads.lowered, preempts() ? 1U : 0U);
    EXPECT_EQ(statistics.jobs, 2U);
  }
}

TEST_P(ProcessorBudgetsTest, AreToldWithTheTimeUsed) {
  struct Told {
    Exhaustion what;
    std::string task;
  };
  std::vector<Told> told;  // used on the handler thread
  Watched<int> handled;
  Options given = options("fp");
  given.handlers.on_exhausted = [&](const Exhaustion & what, const std::string & task) {
    told.push_back({what, task});
    handled.add(1);
  };
  Rig rig(given, rights());
  std::optional<FinishedJob> finished;
  rig.processor().set_observer(
      [](void * context, const FinishedJob & job) {
        *static_cast<std::optional<FinishedJob> *>(context) = job;
      },
      &finished);
  model::Task task = event("n/greedy", 20);
  task.budget = 2 * ms;
  const auto id = rig.add(task, [](const JobInfo &) { testing::burn(5ms); });
  rig.start();
  rig.processor().release(id);
  ASSERT_TRUE(handled.wait_for(1));
  rig.stop();
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(told[0].task, "n/greedy");
  EXPECT_EQ(told[0].what.job.task, id);
  EXPECT_FALSE(told[0].what.lowered);
  EXPECT_GE(told[0].what.used, preempts() ? 2 * ms : 5 * ms);
  ASSERT_TRUE(finished.has_value());
  EXPECT_GE(finished->execution, 5 * ms);
  EXPECT_LE(finished->execution, finished->finish - finished->info.start);
  EXPECT_EQ(rig.processor().counters(id).lowered, 0U);
}

TEST_P(ProcessorBudgetsTest, TimeThatAJobDoesNotHaveTheCpuIsNotCharged) {
  Rig rig(options("fp"), rights());
  Watched<bool> waits;
  Watched<bool> end;
  Watched<int> done;
  // The budget exceeds the CPU time that a virtual machine charges to its threads for a stall of
  // the host.
  model::Task blocks = greedy("n/blocks", 20);
  blocks.budget = 40 * ms;
  const auto id = rig.add(blocks, [&](const JobInfo &) {
    waits.set(true);
    end.wait_for(true);
    done.add(1);
  });
  rig.start();
  rig.processor().release(id);
  ASSERT_TRUE(waits.wait_for(true));
  for (const os::Time began = os::now(); os::now() < began + 45 * ms;) std::this_thread::yield();
  end.set(true);
  ASSERT_TRUE(done.wait_for(1));
  rig.stop();
  EXPECT_EQ(rig.processor().counters(id).exhausted, 0U);
}

TEST_P(ProcessorBudgetsTest, AJobInsideTheMiddlewareKeepsItsPriority) {
  Options given = options("fp");
  given.max_section = testing::unbounded;
  Rig rig(given, rights());
  Watched<int> done;
  std::atomic<bool> other_ran{false};
  const auto other = rig.add(event("n/other", 30), [&](const JobInfo &) {
    other_ran = true;
    done.add(1);
  });
  bool inside = true;
  std::vector<int> priorities;
  const auto id = rig.add(greedy("n/greedy", 20), [&](const JobInfo &) {
    {
      const Processor::Section section;
      testing::burn(2ms);
      priorities.push_back(os::realtime_priority(0));
    }
    overdo([&]() -> const std::atomic<bool> & {
      rig.processor().release(other);
      return other_ran;
    }());
    priorities.push_back(os::realtime_priority(0));
    {
      // More urgent jobs have to wait for the section.
      const Processor::Section section;
      priorities.push_back(os::realtime_priority(0));
    }
    priorities.push_back(os::realtime_priority(0));
    inside = false;
    done.add(1);
  });
  rig.start();
  rig.processor().release(id);
  ASSERT_TRUE(done.wait_for(2));
  rig.stop();
  EXPECT_FALSE(inside);
  if (preempts()) {
    EXPECT_THAT(priorities, ::testing::ElementsAre(44, 0, 46, 0));
  }
}

TEST_P(ProcessorBudgetsTest, WorkersTakeTurnsAsSpares) {
  Rig rig(options("fp"), rights());
  Watched<int> done;
  std::atomic<int> others{0};
  const auto other = rig.add(event("n/other", 20), [&](const JobInfo &) {
    ++others;
    done.add(1);
  });
  std::set<int> threads;
  int round = 0;
  const auto id = rig.add(greedy("n/greedy", 20), [&](const JobInfo &) {
    threads.insert(os::thread_id());
    const int before = others;
    rig.processor().release(other);
    if (preempts()) {
      const os::Time end = os::now() + 5000 * ms;
      while (others == before && os::now() < end) {
      }
    }
    ++round;
    done.add(1);
  });
  for (int spin = 0; spin < 3; ++spin) {
    rig.start();
    for (int job = 0; job < 5; ++job) {
      const int before = done.get();
      rig.processor().release(id);
      ASSERT_TRUE(done.wait_for(before + 2));
      // Waits until the job has finished: an earlier release would be skipped.
      while (rig.processor().counters(id).finished < static_cast<std::uint64_t>(round)) {
        std::this_thread::yield();
      }
    }
    EXPECT_EQ(threads.size(), preempts() ? 2U : 1U);
    threads.clear();
    rig.stop();
  }
  EXPECT_EQ(rig.processor().counters(id).lowered, preempts() ? 15U : 0U);
}

TEST_P(ProcessorBudgetsTest, TheNextReleaseIsAnOverrunAndTold) {
  Watched<int> overruns;
  Options given = options("fp");
  given.handlers.on_overrun = [&](const Overrun & what, const std::string & task) {
    EXPECT_TRUE(what.skipped);
    EXPECT_EQ(task, "n/greedy");
    overruns.add(static_cast<int>(what.count));
  };
  Rig rig(given, rights());
  std::atomic<bool> skipped{false};
  Watched<bool> done;
  TaskId id = TaskId::none;
  id = rig.add(greedy("n/greedy", 20), [&](const JobInfo &) {
    testing::burn(2ms);
    skipped = rig.processor().release(id) == model::Release::skipped;
    done.set(true);
  });
  rig.start();
  rig.processor().release(id);
  ASSERT_TRUE(done.wait_for(true));
  EXPECT_TRUE(overruns.wait_for_at_least(1));
  rig.stop();
  EXPECT_TRUE(skipped);
  EXPECT_EQ(rig.processor().statistics().loads.overruns, 1U);
}

TEST_P(ProcessorBudgetsTest, AHandlerMayAskForAnotherScenario) {
  Rig * made = nullptr;
  Options given = options("fp");
  given.handlers.on_exhausted = [&](const Exhaustion &, const std::string &) {
    made->processor().request_scenario(1);
  };
  Rig rig(given, rights());
  made = &rig;
  Watched<int> relaxed;
  model::Task task{.id = "n/a", .period = 2 * ms, .deadline = 2 * ms, .budget = ms / 2};
  const auto id = rig.add(task, [&](const JobInfo &) {
    if (rig.processor().statistics().scenario == 1) {
      relaxed.add(1);
    } else {
      testing::burn(1ms);
    }
  });
  std::vector<Scenario> scenarios(1);
  scenarios[0].timings[id] = {.period = 5 * ms};
  rig.processor().set_scenarios(std::move(scenarios));
  rig.start();
  EXPECT_TRUE(relaxed.wait_for_at_least(3));
  rig.stop();
}

TEST_P(ProcessorBudgetsTest, TasksChangeWhileAJobIsInTheBackground) {
  if (!preempts()) return;  // there are no jobs in the background then
  Rig rig(options("fp"), rights());
  std::atomic<bool> lowered{false};
  std::atomic<bool> end{false};
  const auto probe = rig.add(event("n/probe", 10), [&](const JobInfo &) { lowered = true; });
  const auto id = rig.add(greedy("n/greedy", 20), [&](const JobInfo &) {
    rig.processor().release(probe);
    busy_until(lowered);
    busy_until(end);
  });
  rig.start();
  rig.processor().release(id);
  while (!lowered) std::this_thread::yield();
  Watched<int> & ticks = rig.add_ticks();
  EXPECT_TRUE(ticks.wait_for_at_least(3));
  std::atomic<bool> removed{false};
  std::thread remover([&] {
    rig.processor().remove_task(id);
    removed = true;
  });
  // A task that is added meanwhile does not have to wait, and jobs run.
  Watched<bool> added;
  rig.add({.id = "n/b", .period = ms, .deadline = ms}, [&](const JobInfo &) { added.set(true); });
  EXPECT_TRUE(added.wait_for(true));
  EXPECT_TRUE(ticks.wait_for_at_least(ticks.get() + 20));
  EXPECT_FALSE(removed);
  end = true;
  remover.join();
  EXPECT_THROW(rig.processor().counters(id), std::invalid_argument);
  rig.stop();
}

TEST_P(ProcessorBudgetsTest, StoppingWaitsForWhatIsInTheBackground) {
  Rig rig(options("fp"), rights());
  Watched<bool> runs;
  std::atomic<bool> ended{false};
  const auto id = rig.add(greedy("n/greedy", 20), [&](const JobInfo &) {
    runs.set(true);
    testing::burn(20ms);
    ended = true;
  });
  rig.start();
  rig.processor().release(id);
  ASSERT_TRUE(runs.wait_for(true));
  rig.stop();
  EXPECT_TRUE(ended);
}

TEST_P(ProcessorBudgetsTest, TheBackgroundIsRefusedInASharedExclusiveGroup) {
  Rig rig(options("fp"), rights());
  const auto group = rig.processor().add_group({.exclusive = true});
  rig.add_event("n/other", 10, [](const JobInfo &) {}, group);
  model::Task task = greedy("n/greedy", 20);
  EXPECT_THROW(rig.add(task, [](const JobInfo &) {}, 0, group), std::invalid_argument);
  task.on_budget = model::OnBudget::report;
  EXPECT_NO_THROW(rig.add(task, [](const JobInfo &) {}, 0, group));
}

}  // namespace
}  // namespace takt::executor
