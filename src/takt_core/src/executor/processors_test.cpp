// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_core/executor/processors.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "takt_core/os/clock.hpp"
#include "takt_core/os/threads.hpp"
#include "testing/harness.hpp"
#include "testing/modes.hpp"

namespace takt::executor {
namespace {

using testing::ms;
using testing::Rig;
using testing::timer;
using testing::Watched;

class ProcessorsTest : public testing::ModeTest {
 protected:
  const std::vector<int> cpus_ = testing::two_cpus();
};
TAKT_FOR_ALL_MODES(ProcessorsTest);

TEST_P(ProcessorsTest, EachRunsItsOwnTasksOnItsOwnCpu) {
  Rig rig(options("rm"), rights(), cpus_);
  ASSERT_EQ(rig.processors().size(), 2U);
  EXPECT_EQ(rig.processors().cpus(), cpus_);
  std::vector<Watched<int>> jobs(4);
  std::vector<std::set<int>> ran_on(jobs.size());
  std::vector<TaskId> ids;
  for (std::size_t i = 0; i < ran_on.size(); ++i) {
    ids.push_back(rig.add(
        timer("n/" + std::to_string(i)),
        [&, i](const JobInfo & job) {
          EXPECT_EQ(job.task, ids[i]);
          EXPECT_EQ(Processor::current(), &rig.processors()[i % 2]);
          ran_on[i].insert(os::current_cpu());
          jobs[i].add(1);
        },
        i % 2));
    EXPECT_EQ(Processors::of(ids[i]), i % 2);
  }
  rig.start();
  for (auto & each : jobs) ASSERT_TRUE(each.wait_for_at_least(50));
  EXPECT_TRUE(rig.processors().spinning());
  const Grants grants = rig.processors().grants();
  rig.stop();
  EXPECT_FALSE(rig.processors().spinning());
  EXPECT_GE(rig.processors().statistics().jobs, 200U);
  for (std::size_t i = 0; i < ran_on.size(); ++i) {
    EXPECT_GT(rig.processors().counters(ids[i]).finished, 0U);
    if (grants.pinned) {
      EXPECT_EQ(ran_on[i], std::set<int>{cpus_[i % 2]});
    }
  }
}

TEST_P(ProcessorsTest, ShareOneGrid) {
  Rig rig(options("rm"), rights(), cpus_);
  std::vector<Watched<int>> jobs(2);
  std::vector<model::Time> first(2, -1);
  for (std::size_t i = 0; i < 2; ++i) {
    rig.add(
        timer("n/" + std::to_string(i)),
        [&, i](const JobInfo & job) {
          if (first[i] < 0) first[i] = job.release - static_cast<model::Time>(job.index) * ms;
          jobs[i].add(1);
        },
        i);
  }
  rig.start();
  for (auto & each : jobs) ASSERT_TRUE(each.wait_for_at_least(25));
  rig.stop();
  EXPECT_GT(first[0], 0);
  EXPECT_EQ(first[0], first[1]);
  // The grid continues in the next spin.
  for (auto & each : jobs) each.set(0);
  const model::Time t0 = std::exchange(first[0], -1);
  rig.start();
  for (auto & each : jobs) ASSERT_TRUE(each.wait_for_at_least(25));
  rig.stop();
  EXPECT_EQ(first[0], t0);
}

TEST_P(ProcessorsTest, JobsReleaseEachOthersTasks) {
  Rig rig(options("fp"), rights(), cpus_);
  Watched<int> rounds;
  std::vector<TaskId> ids(2);
  for (std::size_t i = 0; i < 2; ++i) {
    model::Task task{.id = "n/" + std::to_string(i), .kind = model::TaskKind::other, .queue = 4};
    ids[i] = rig.add(
        task,
        [&, i](const JobInfo & job) {
          EXPECT_EQ(job.task, ids[i]);
          rounds.add(1);
          EXPECT_EQ(rig.processors()[1 - i].release(ids[1 - i]), model::Release::accepted);
        },
        i);
  }
  rig.start();
  rig.processors()[0].release(ids[0]);
  ASSERT_TRUE(rounds.wait_for_at_least(2000));
  rig.stop();
  const Statistics all = rig.processors().statistics();
  EXPECT_GE(all.crossings, 1999U);
  EXPECT_EQ(all.crossings, rig.processors()[0].statistics().crossings +
                               rig.processors()[1].statistics().crossings);
  EXPECT_GT(all.longest_lock_hold_ns, 0);
  EXPECT_GE(all.longest_lock_wait_ns, 0);
}

TEST_P(ProcessorsTest, OneThatIsBlockedDoesNotStopTheOthers) {
  Rig rig(options("rm"), rights(), cpus_);
  Watched<bool> blocks;
  Watched<bool> go_on;
  Watched<int> jobs;
  rig.add(
      timer("n/blocks"),
      [&](const JobInfo &) {
        blocks.set(true);
        go_on.wait_for(true);
      },
      0);
  rig.add(timer("n/runs"), [&](const JobInfo &) { jobs.add(1); }, 1);
  rig.start();
  ASSERT_TRUE(blocks.wait_for(true));
  const int before = jobs.get();
  EXPECT_TRUE(jobs.wait_for_at_least(before + 100));
  go_on.set(true);
  rig.stop();
}

TEST_P(ProcessorsTest, AnExceptionEndsAllAndComesOutOfSpin) {
  Rig rig(options("rm"), rights(), cpus_);
  Watched<int> jobs;
  rig.add(timer("n/a"), [&](const JobInfo &) { jobs.add(1); }, 0);
  rig.add(
      timer("n/throws"),
      [&](const JobInfo &) {
        if (jobs.get() > 10) throw std::domain_error("mine");
      },
      1);
  for (int round = 0; round < 2; ++round) {
    rig.start();
    const std::exception_ptr thrown = rig.join();
    ASSERT_NE(thrown, nullptr);
    EXPECT_THROW(std::rethrow_exception(thrown), std::domain_error);
  }
}

TEST_P(ProcessorsTest, WhatBeginsItIsDoneBeforeTheFirstJobAndMayFail) {
  Rig rig(options("rm"), rights(), cpus_);
  std::atomic<int> jobs = 0;
  rig.add(timer("n/a"), [&](const JobInfo &) { ++jobs; }, 0);
  rig.add(timer("n/b"), [&](const JobInfo &) { ++jobs; }, 1);
  int begun = 0;
  const auto fail = [&] {
    ++begun;
    EXPECT_EQ(jobs.load(), 0);
    throw std::domain_error("mine");
  };
  EXPECT_THROW(rig.processors().spin(fail), std::domain_error);
  EXPECT_EQ(begun, 1);
  EXPECT_EQ(jobs.load(), 0);
}

TEST_P(ProcessorsTest, SpinEndsAtOnceAfterAStopAndCanBeCalledAgain) {
  Rig rig(options("rm"), rights(), cpus_);
  Watched<int> jobs;
  rig.add(timer("n/a"), [&](const JobInfo &) { jobs.add(1); }, 0);
  rig.add(timer("n/b"), [&](const JobInfo &) { jobs.add(1); }, 1);
  rig.processors().stop();
  rig.start();
  EXPECT_EQ(rig.join(), nullptr);
  for (int round = 0; round < 20; ++round) {
    jobs.set(0);
    rig.start();
    ASSERT_TRUE(jobs.wait_for_at_least(5));
    EXPECT_THROW(rig.processors().spin(), std::logic_error);
    EXPECT_THROW(rig.processors().set_policy("fifo"), std::logic_error);
    rig.stop();
  }
  rig.processors().set_policy("np-fp");
  EXPECT_EQ(rig.processors().grants().policy, "np-fp");
}

TEST_P(ProcessorsTest, TasksComeAndGoWhileSpinning) {
  Rig rig(options("rm"), rights(), cpus_);
  std::atomic<int> jobs = 0;
  rig.start();
  std::vector<std::thread> users;
  for (std::size_t i = 0; i < 2; ++i) {
    users.emplace_back([&, i] {
      const GroupId group = rig.processors().add_group(i, {});
      for (int round = 0; round < 50; ++round) {
        const auto id =
            rig.add(timer("n/" + std::to_string(i)), [&](const JobInfo &) { ++jobs; }, i, group);
        EXPECT_EQ(Processors::of(id), i);
        rig.processors().remove_task(id);
      }
      rig.processors().remove_group(group);
    });
  }
  for (auto & user : users) user.join();
  rig.stop();
}

// Tasks, groups and scenarios of one processor change while a job of another does not return and a
// thread waits for that job's end.
TEST_P(ProcessorsTest, AChangeOfOneWaitsForNoJobOfAnother) {
  Rig rig(options("fp"), rights(), cpus_);
  Watched<bool> stuck;
  Watched<bool> go_on;
  std::atomic<bool> removed = false;
  const TaskId blocks = rig.add_event("n/blocks", 50, [&](const JobInfo &) {
    stuck.set(true);
    EXPECT_TRUE(go_on.wait_for(true));
  });
  // If the host stalls, its releases are queued and none is skipped.
  model::Task often = timer("n/steady");
  often.queue = 10'000;
  std::vector<JobInfo> jobs;
  Watched<int> ran;
  const TaskId steady = rig.add(
      often,
      [&](const JobInfo & job) {
        jobs.push_back(job);
        ran.add(1);
      },
      1);
  rig.start();
  rig.processors()[0].release(blocks);
  ASSERT_TRUE(stuck.wait_for(true));
  std::thread remover([&] {
    rig.processors().remove_task(blocks);
    removed = true;
  });
  const std::vector<Scenario> scenarios(2);
  for (int round = 0; round < 30; ++round) {
    Watched<int> came;
    const GroupId group = rig.processors().add_group(1, {});
    const TaskId id = rig.add(timer("n/comes"), [&](const JobInfo &) { came.add(1); }, 1, group);
    rig.processors()[1].set_scenarios(scenarios);
    rig.processors()[1].request_scenario(1 + static_cast<model::ScenarioId>(round % 2));
    EXPECT_TRUE(came.wait_for_at_least(1));
    rig.processors().remove_task(id);
    rig.processors().remove_group(group);
  }
  EXPECT_TRUE(ran.wait_for_at_least(ran.get() + 10));
  rig.processors().stop();
  EXPECT_FALSE(removed) << "the removal returned while a job of the task was running";
  go_on.set(true);
  remover.join();
  EXPECT_EQ(rig.stop(), nullptr);
  EXPECT_TRUE(removed);
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    EXPECT_EQ(jobs[i].index, i);
    EXPECT_EQ(jobs[i].release, jobs[0].release + static_cast<model::Time>(i) * ms);
  }
  const model::TaskCounters counters = rig.processors().counters(steady);
  EXPECT_EQ(counters.skipped, 0U);
  EXPECT_EQ(counters.finished, jobs.size());
}

TEST_P(ProcessorsTest, AgreeOnTheLastScenarioThatWasAskedFor) {
  Rig rig(options("rm"), rights(), cpus_);
  const std::string policy = preempts() ? "dm" : "np-dm";
  rig.add(timer("n/a"), [](const JobInfo &) {}, 0);
  rig.add(timer("n/b"), [](const JobInfo &) {}, 1);
  for (std::size_t i = 0; i < 2; ++i) {
    rig.processors()[i].set_scenarios({Scenario{policy}, Scenario{policy}, Scenario{policy}});
  }
  rig.start();
  for (int round = 0; round < 100; ++round) {
    std::vector<std::thread> users;
    for (model::ScenarioId scenario = 1; scenario <= 3; ++scenario) {
      users.emplace_back([&rig, scenario] { rig.processors().request_scenario(scenario); });
    }
    for (auto & user : users) user.join();
    // Of requests by one thread the last wins, however close together they are. It differs from the
    // one before.
    const model::ScenarioId last = round % 4 == 0 ? 2 : 3;
    if (round % 2 == 0) {
      rig.processors().request_scenario(last == 2 ? 3 : 2);
      rig.processors().request_scenario(last);
    }
    const os::Time limit = os::now() + 30'000'000'000;
    bool agreed = false;
    while (!agreed && os::now() < limit) {
      const model::ScenarioId a = rig.processors()[0].statistics().scenario;
      const model::ScenarioId b = rig.processors()[1].statistics().scenario;
      agreed = a == b && a != 0 && (round % 2 != 0 || a == last);
      std::this_thread::yield();
    }
    ASSERT_TRUE(agreed);
  }
  rig.stop();
  EXPECT_GE(rig.processors().statistics().scenario_switches, 49U);
}

TEST_P(ProcessorsTest, MissHandlersAreNotCalledAtTheSameTime) {
  std::atomic<int> inside = 0;
  Watched<int> misses;
  std::set<std::string> missed;
  Options own = options("rm");
  own.handlers.on_miss = [&](const Miss & miss, const std::string & task) {
    EXPECT_EQ(++inside, 1);
    EXPECT_EQ(Processors::of(miss.job.task), task == "n/1" ? 1U : 0U);
    missed.insert(task);
    misses.add(1);
    --inside;
  };
  Rig rig(own, rights(), cpus_);
  for (std::size_t i = 0; i < 2; ++i) {
    rig.add(
        {.id = "n/" + std::to_string(i), .period = 2 * ms, .deadline = 1}, [](const JobInfo &) {},
        i);
  }
  rig.start();
  ASSERT_TRUE(misses.wait_for_at_least(100));
  rig.stop();
  EXPECT_EQ(missed.size(), 2U);
}

TEST_P(ProcessorsTest, MeasureWhatTasksUse) {
  Rig rig(options("rm"), rights(), cpus_);
  Watched<int> jobs;
  const auto half = rig.add(
      timer("n/half", 4 * ms),
      [&](const JobInfo &) {
        testing::burn(std::chrono::milliseconds(2));
        jobs.add(1);
      },
      0);
  const auto nothing = rig.add(timer("n/nothing", 4 * ms), [&](const JobInfo &) {}, 1);
  EXPECT_EQ(rig.processors().utilisation(half), 0);
  rig.start();
  ASSERT_TRUE(jobs.wait_for_at_least(50));
  rig.stop();
  // At least what was burnt, divided by the elapsed time, which has no upper bound.
  const double used = rig.processors().utilisation(half);
  EXPECT_GT(used, 0);
  EXPECT_LE(used, 1);
  EXPECT_LT(rig.processors().utilisation(nothing), used);
  // The share does not change while the processor is not spinning.
  EXPECT_EQ(rig.processors().utilisation(half), used);
  EXPECT_THROW(rig.processors().utilisation(TaskId{99}), std::invalid_argument);
  EXPECT_THROW(rig.processors().utilisation(TaskId::none), std::invalid_argument);
}

TEST(ProcessorsInOneModeTest, SayOnceWhatConcernsAll) {
  Options options;
  options.policy = "rm";
  Rig rig(options, false, testing::two_cpus());
  Watched<int> jobs;
  for (std::size_t i = 0; i < 2; ++i) {
    rig.add(timer("n/" + std::to_string(i)), [&](const JobInfo &) { jobs.add(1); }, i);
  }
  rig.start();
  ASSERT_TRUE(jobs.wait_for_at_least(10));
  const Grants grants = rig.processors().grants();
  rig.stop();
  EXPECT_EQ(grants.policy_in_use, "np-rm");
  EXPECT_FALSE(grants.realtime);
  int said = 0;
  for (const std::string & line : rig.log().read()) {
    said += line.starts_with("policy rm runs as np-rm") ? 1 : 0;
  }
  EXPECT_EQ(said, 1);
  std::set<std::string> refused(grants.refused.begin(), grants.refused.end());
  EXPECT_EQ(refused.size(), grants.refused.size());
}

TEST(ProcessorsInOneModeTest, RefuseWhatTheyCannotBe) {
  EXPECT_THROW(Processors({}, {0, 0}), std::invalid_argument);
  EXPECT_THROW(Processors({.policy = "best"}, {0, 1}), std::invalid_argument);
  std::vector<int> many;
  for (int i = 0; i < 200; ++i) many.push_back(i);
  EXPECT_THROW(Processors({}, many), std::invalid_argument);
  Processors processors({}, testing::two_cpus());
  const GroupId group = processors.add_group(1, {});
  EXPECT_THROW(processors.add_task(0, {.id = "n/a", .period = ms}, {}, group),
               std::invalid_argument);
  EXPECT_THROW(processors.remove_task(TaskId::none), std::invalid_argument);
  EXPECT_THROW(processors.remove_group(GroupId::none), std::invalid_argument);
}

}  // namespace
}  // namespace takt::executor
