// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/executor/processor.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <mutex>
#include <stdexcept>

#include "takt_core/os/clock.hpp"
#include "testing/harness.hpp"
#include "testing/modes.hpp"

namespace takt::executor {
namespace {

using ::testing::ElementsAre;
using namespace std::chrono_literals;
using testing::busy_until;
using testing::Journal;
using testing::Mode;
using testing::ms;
using testing::Rig;
using testing::Watched;

// Properties that hold in every mode of the processor.
class ProcessorTest : public testing::ModeTest {};
TAKT_FOR_ALL_MODES(ProcessorTest);

TEST_P(ProcessorTest, ReleasesLieOnTheGrid) {
  constexpr std::size_t count = 30;
  Rig rig(options("rm"), rights());
  std::vector<JobInfo> jobs;
  model::Task task{.id = "n/a", .period = ms, .phase = ms / 3, .deadline = ms};
  rig.add(task, [&](const JobInfo & job) {
    jobs.push_back(job);
    if (jobs.size() == count) rig.processor().stop();
  });
  const model::Time t0 = os::now() + 2 * ms;
  rig.processor().set_start(t0);
  rig.start();
  rig.join();
  ASSERT_EQ(jobs.size(), count);
  for (std::size_t i = 0; i < count; ++i) {
    const JobInfo & job = jobs[i];
    EXPECT_EQ(job.release, t0 + ms / 3 + static_cast<model::Time>(job.index) * ms);
    EXPECT_EQ(job.deadline, job.release + ms);
    EXPECT_GE(job.start, job.release);
    if (i > 0) {
      EXPECT_GT(job.index, jobs[i - 1].index);
    }
  }
}

TEST_P(ProcessorTest, TheMostUrgentGoesFirst) {
  Rig rig(options("fp"), rights());
  Journal journal;
  Watched<int> done;
  const auto note = [&](const char * what) {
    return [&, what](const JobInfo &) {
      journal.note(what);
      done.add(1);
    };
  };
  const auto low = rig.add_event("low", 10, note("low"));
  const auto middle = rig.add_event("middle", 20, note("middle"));
  const auto high = rig.add_event("high", 30, note("high"));
  const auto first = rig.add_event("first", 40, [&](const JobInfo &) {
    for (const auto task : {low, high, middle}) rig.processor().release(task);
    journal.note("first");
  });
  rig.start();
  rig.processor().release(first);
  ASSERT_TRUE(done.wait_for(3));
  EXPECT_THAT(journal.read(), ElementsAre("first", "high", "middle", "low"));
  rig.stop();
}

TEST_P(ProcessorTest, AMoreUrgentJobPreemptsIfTheModeAllowsIt) {
  Rig rig(options("fp"), rights());
  Watched<int> done;
  std::atomic<bool> high_ran{false};
  std::atomic<bool> seen_inside{false};
  const auto high = rig.add_event("high", 30, [&](const JobInfo &) {
    high_ran = true;
    done.add(1);
  });
  const auto low = rig.add_event("low", 10, [&](const JobInfo & job) {
    rig.processor().release(high);
    if (preempts()) busy_until(high_ran);
    seen_inside = high_ran.load();
    EXPECT_EQ(Processor::current_job()->task, job.task);
    done.add(1);
  });
  rig.start();
  rig.processor().release(low);
  ASSERT_TRUE(done.wait_for(2));
  EXPECT_EQ(seen_inside, preempts());
  rig.stop();
}

TEST_P(ProcessorTest, MembersOfAnExclusiveGroupDoNotPreemptEachOther) {
  Rig rig(options("fp"), rights());
  const GroupId group = rig.processor().add_group({.exclusive = true});
  Journal journal;
  Watched<int> done;
  const auto high = rig.add_event(
      "high", 30,
      [&](const JobInfo &) {
        journal.note("high");
        done.add(1);
      },
      group);
  const auto low = rig.add_event(
      "low", 10,
      [&](const JobInfo &) {
        rig.processor().release(high);
        testing::burn(1ms);
        journal.note("low");
        done.add(1);
      },
      group);
  rig.start();
  rig.processor().release(low);
  ASSERT_TRUE(done.wait_for(2));
  EXPECT_THAT(journal.read(), ElementsAre("low", "high"));
  rig.stop();
}

TEST_P(ProcessorTest, AMiddlewareSectionDefersStarts) {
  Options given = options("fp");
  given.max_section = testing::unbounded;
  Rig rig(given, rights());
  Journal journal;
  Watched<int> done;
  std::atomic<bool> high_ran{false};
  const auto high = rig.add_event("high", 30, [&](const JobInfo &) {
    journal.note("high");
    high_ran = true;
    done.add(1);
  });
  const auto low = rig.add_event("low", 10, [&](const JobInfo &) {
    {
      const Processor::Section outer;
      {
        const Processor::Section inner;
        rig.processor().release(high);
        testing::burn(1ms);
      }
      testing::burn(1ms);
      journal.note("section");
    }
    if (preempts()) busy_until(high_ran);
    journal.note("low");
    done.add(1);
  });
  rig.start();
  rig.processor().release(low);
  ASSERT_TRUE(done.wait_for(2));
  rig.stop();
  if (preempts()) {
    EXPECT_THAT(journal.read(), ElementsAre("section", "high", "low"));
    EXPECT_EQ(rig.processor().statistics().deferred, 1U);
  } else {
    EXPECT_THAT(journal.read(), ElementsAre("section", "low", "high"));
  }
  EXPECT_GE(rig.processor().statistics().longest_section_ns, 2 * ms);
  EXPECT_EQ(rig.processor().statistics().overlong_sections, 0U);
}

TEST_P(ProcessorTest, AnOverrunSkipsOrQueues) {
  for (const std::uint32_t queue : {0U, 3U}) {
    Rig rig(options("rm"), rights());
    std::vector<std::uint64_t> indices;
    std::vector<JobInfo> jobs;
    model::Task task{.id = "n/a", .period = 2 * ms, .deadline = 2 * ms, .queue = queue};
    const auto id = rig.add(task, [&](const JobInfo & job) {
      indices.push_back(job.index);
      jobs.push_back(job);
      // The first job runs past the next three releases.
      while (indices.size() == 1 && os::now() < job.release + 7 * ms) {
      }
      if (indices.size() == 5) rig.processor().stop();
    });
    rig.start();
    rig.join();
    const model::TaskCounters counters = rig.processor().counters(id);
    EXPECT_GE(counters.overruns, 3U);
    EXPECT_GE(counters.missed, 1U);
    EXPECT_EQ(counters.finished, 5U);
    if (queue == 0) {
      EXPECT_GE(indices[1], indices[0] + 4) << "the three points within the first job are skipped";
      EXPECT_GE(counters.skipped, 3U);
    } else {
      EXPECT_EQ(indices[3], indices[0] + 3);
      EXPECT_GE(jobs[1].start, jobs[0].release + 7 * ms);
    }
  }
}

TEST_P(ProcessorTest, AMinimumIntervalDelaysARelease) {
  Rig rig(options("fp"), rights());
  Watched<int> done;
  std::vector<JobInfo> jobs;
  model::Task task;
  task.id = "n/a";
  task.kind = model::TaskKind::subscription;
  task.period = 5 * ms;
  const auto id = rig.add(task, [&](const JobInfo & job) {
    jobs.push_back(job);
    done.add(1);
  });
  Watched<bool> released;
  model::Release second{};
  const auto trigger = rig.add_event("trigger", 50, [&](const JobInfo &) {
    rig.processor().release(id);
    second = rig.processor().release(id);
  });
  rig.start();
  rig.processor().release(trigger);
  ASSERT_TRUE(done.wait_for(2));
  rig.stop();
  EXPECT_EQ(second, model::Release::delayed);
  EXPECT_EQ(jobs[1].release, jobs[0].release + 5 * ms);
  EXPECT_GE(jobs[1].start, jobs[1].release);
}

TEST_P(ProcessorTest, MissesThatASlowHandlerIsNotToldOfAreCounted) {
  Watched<int> handled;
  Watched<bool> may_go_on;
  Options given = options("rm");
  given.handlers.on_miss = [&](const Miss &, const std::string &) {
    handled.add(1);
    may_go_on.wait_for(true);
  };
  Rig rig(given, rights());
  Watched<int> ran;
  const auto id = rig.add({.id = "node/late", .kind = model::TaskKind::other, .deadline = 1},
                          [&](const JobInfo &) { ran.add(1); });
  rig.start();
  constexpr int jobs = 400;
  for (int job = 1; job <= jobs; ++job) {
    rig.processor().release(id);
    ASSERT_TRUE(ran.wait_for_at_least(job));
    // Waits until the job has finished: an earlier release would be skipped.
    while (rig.processor().counters(id).finished < static_cast<std::uint64_t>(job)) {
      std::this_thread::yield();
    }
  }
  const std::uint64_t missed = rig.processor().counters(id).missed;
  const std::uint64_t unreported = rig.processor().statistics().unreported;
  may_go_on.set(true);
  rig.stop();
  EXPECT_EQ(missed, static_cast<std::uint64_t>(jobs));
  EXPECT_GT(unreported, 0U);
  EXPECT_EQ(static_cast<std::uint64_t>(handled.get()) + unreported, missed);
}

TEST_P(ProcessorTest, MissesReachTheHandlerWithTheName) {
  Watched<int> handled;
  std::atomic<bool> noticed{false};
  Miss miss;
  std::string name;
  Options given = options("rm");
  given.handlers.on_miss = [&](const Miss & what, const std::string & task) {
    if (handled.get() == 0) {
      miss = what;
      name = task;
      noticed = true;
    }
    handled.add(1);
  };
  Rig rig(given, rights());
  bool noticed_inside = false;
  model::Task task{.id = "node/late", .period = 1000 * ms, .deadline = ms};
  const auto id = rig.add(task, [&](const JobInfo & job) {
    while (os::now() < job.deadline + ms) {
    }
    // The timer thread is above the workers, so it notices the miss at the deadline itself.
    if (preempts()) busy_until(noticed);
    // Otherwise it is noticed at the next decision: that of this job, if a busy host lets it start
    // so late.
    noticed_inside = noticed && (preempts() || job.start < job.deadline);
  });
  rig.start();
  ASSERT_TRUE(handled.wait_for_at_least(1));
  rig.stop();
  EXPECT_EQ(noticed_inside, preempts());
  EXPECT_EQ(name, "node/late");
  EXPECT_EQ(miss.job.task, id);
  EXPECT_EQ(miss.job.index, 0U);
  EXPECT_GE(miss.noticed, miss.job.deadline);
  EXPECT_EQ(rig.processor().counters(id).missed, 1U);
}

TEST_P(ProcessorTest, TheObserverSeesEveryJob) {
  struct Seen {
    std::vector<FinishedJob> jobs;
  } seen;
  Rig rig(options("rm"), rights());
  int runs = 0;
  const auto id = rig.add({.id = "n/a", .period = ms, .deadline = ms}, [&](const JobInfo &) {
    if (++runs == 10) rig.processor().stop();
  });
  rig.processor().set_observer(
      [](void * context, const FinishedJob & job) {
        static_cast<Seen *>(context)->jobs.push_back(job);
      },
      &seen);
  rig.start();
  rig.join();
  ASSERT_EQ(seen.jobs.size(), 10U);
  for (const FinishedJob & job : seen.jobs) {
    EXPECT_EQ(job.info.task, id);
    EXPECT_GE(job.finish, job.info.start);
    EXPECT_EQ(job.late, job.finish > job.info.deadline);
  }
  const Statistics statistics = rig.processor().statistics();
  EXPECT_EQ(statistics.jobs, 10U);
  EXPECT_GE(statistics.decisions, 10U);
}

TEST_P(ProcessorTest, DecisionsAreTimedIfAskedFor) {
  for (const bool asked : {false, true}) {
    Options timed = options("rm");
    timed.time_decisions = asked;
    Rig rig(timed, rights());
    int runs = 0;
    rig.add({.id = "n/a", .period = ms}, [&](const JobInfo & job) {
      EXPECT_EQ(job.decision >= 0, asked);
      if (++runs == 3) rig.processor().stop();
    });
    rig.start();
    rig.join();
    EXPECT_EQ(runs, 3);
  }
}

TEST_P(ProcessorTest, ExecutionDoesNotCountWhatPreemptedTheJob) {
  struct Seen {
    std::mutex mutex;
    std::map<TaskId, FinishedJob> jobs;
  } seen;
  Rig rig(options("fp"), rights());
  rig.processor().set_observer(
      [](void * context, const FinishedJob & job) {
        auto & all = *static_cast<Seen *>(context);
        const std::lock_guard lock(all.mutex);
        all.jobs[job.info.task] = job;
      },
      &seen);
  Watched<int> done;
  const auto work = [&](const JobInfo &) {
    testing::burn(1ms);
    done.add(1);
  };
  const auto high = rig.add_event("high", 30, work);
  const auto middle = rig.add_event("middle", 20, [&](const JobInfo & job) {
    rig.processor().release(high);
    work(job);
  });
  const auto low = rig.add_event("low", 10, [&](const JobInfo & job) {
    rig.processor().release(middle);
    work(job);
  });
  rig.start();
  rig.processor().release(low);
  ASSERT_TRUE(done.wait_for(3));
  rig.stop();
  ASSERT_EQ(seen.jobs.size(), 3U);
  for (const auto & [task, job] : seen.jobs) {
    const model::Duration length = job.finish - job.info.start;
    EXPECT_GE(job.execution, ms);
    EXPECT_LE(job.execution, length);
    if (!preempts()) {
      EXPECT_EQ(job.execution, length);
    }
  }
  if (preempts()) {
    const auto length = [&](TaskId task) {
      return seen.jobs[task].finish - seen.jobs[task].info.start;
    };
    EXPECT_EQ(seen.jobs[low].execution, length(low) - length(middle));
    EXPECT_EQ(seen.jobs[middle].execution, length(middle) - length(high));
  }
}

TEST_P(ProcessorTest, WhatIsUnknownIsNotReleased) {
  Rig rig(options("fp"), rights());
  EXPECT_EQ(rig.processor().release(TaskId{17}), model::Release::skipped);
  EXPECT_THROW(rig.processor().counters(TaskId{17}), std::invalid_argument);
  const auto timer = rig.add({.id = "n/t", .period = ms, .deadline = ms}, [](const JobInfo &) {});
  EXPECT_EQ(rig.processor().release(timer), model::Release::skipped);
}

TEST_P(ProcessorTest, APolicyMayDeclineToStartUntilAnInstant) {
  // Holds every job back for 3 ms after its release.
  class Late final : public model::Policy {
   public:
    std::string_view name() const noexcept override { return "late"; }
    bool preemptive() const noexcept override { return true; }
    std::int64_t preemption_rank(const model::Task & task) const noexcept override {
      return task.priority;
    }
    model::Urgency urgency(const model::Task & task, const model::Job &,
                           const model::ApplicationState &) noexcept override {
      return -task.priority;
    }
    model::Time hold_until(const model::Task &, const model::Job & job, model::Time,
                           const model::ApplicationState &) noexcept override {
      return job.release + 3 * ms;
    }
  };
  Options given = options("fp");
  given.custom_policy = [] { return std::make_unique<Late>(); };
  Rig rig(given, rights());
  Watched<int> done;
  std::vector<JobInfo> jobs;
  const auto id = rig.add_event("n/a", 10, [&](const JobInfo & job) {
    jobs.push_back(job);
    done.add(1);
  });
  rig.start();
  rig.processor().release(id);
  ASSERT_TRUE(done.wait_for(1));
  rig.stop();
  EXPECT_GE(jobs[0].start, jobs[0].release + 3 * ms);
  const Grants grants = rig.processor().grants();
  EXPECT_EQ(grants.policy, "late");
  EXPECT_EQ(grants.policy_in_use, grants.realtime ? "late" : "np-late");
}

TEST_P(ProcessorTest, ANewStateRanksPendingJobsAnew) {
  struct Favourite {
    std::string id;
  };
  class ByState final : public model::Policy {
   public:
    std::string_view name() const noexcept override { return "by-state"; }
    bool preemptive() const noexcept override { return false; }
    std::int64_t preemption_rank(const model::Task &) const noexcept override { return 0; }
    model::Urgency urgency(const model::Task & task, const model::Job &,
                           const model::ApplicationState & state) noexcept override {
      const auto * favourite = state.get<Favourite>();
      return favourite != nullptr && favourite->id == task.id ? 0 : 1;
    }
    bool uses_state() const noexcept override { return true; }
  };
  Options given = options("fp");
  given.custom_policy = [] { return std::make_unique<ByState>(); };
  Rig rig(given, rights());
  Journal journal;
  Watched<int> done;
  const auto note = [&](const char * what) {
    return [&, what](const JobInfo &) {
      journal.note(what);
      done.add(1);
    };
  };
  const auto a = rig.add_event("a", 1, note("a"));
  const auto b = rig.add_event("b", 1, note("b"));
  const auto first = rig.add_event("first", 1, [&](const JobInfo &) {
    rig.processor().release(a);
    rig.processor().release(b);
    rig.processor().set_state(model::ApplicationState::of(Favourite{"b"}));
  });
  rig.start();
  rig.processor().release(first);
  ASSERT_TRUE(done.wait_for(2));
  EXPECT_THAT(journal.read(), ElementsAre("b", "a"));
  EXPECT_EQ(rig.processor().statistics().reranked, 1U);
  rig.stop();
}

TEST(ProcessorInOneModeTest, OffAWorkerThereIsNoJobAndASectionDoesNothing) {
  EXPECT_EQ(Processor::current_job(), nullptr);
  EXPECT_EQ(Processor::current(), nullptr);
  const Processor::Section section;
}

TEST(ProcessorInOneModeTest, RefusesWrongOptions) {
  EXPECT_THROW(Processor({.policy = "nonsense"}), std::invalid_argument);
  EXPECT_THROW(Processor({.plan = {.timer = 10}}), std::invalid_argument);
  EXPECT_THROW(Processor({.custom_policy = [] { return nullptr; }}), std::invalid_argument);
  EXPECT_THROW(Processor({.max_section = -1}), std::invalid_argument);
  EXPECT_THROW(Processor({.watchdog_interval = 9'999'999}), std::invalid_argument);
}

}  // namespace
}  // namespace takt::executor
