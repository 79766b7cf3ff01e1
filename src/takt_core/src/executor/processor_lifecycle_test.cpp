// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// Starting, stopping, exceptions, destruction.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "takt_core/executor/processor.hpp"
#include "takt_core/os/clock.hpp"
#include "takt_core/os/stack.hpp"
#include "takt_core/os/testing/deep_stack.hpp"
#include "takt_core/os/testing/sanitized.hpp"
#include "testing/harness.hpp"
#include "testing/modes.hpp"

namespace takt::executor {
namespace {

using testing::ms;
using testing::Rig;
using testing::Watched;

class LifecycleTest : public testing::ModeTest {
 protected:
  static model::Task task() { return {.id = "n/a", .period = ms, .deadline = ms}; }
};
TAKT_FOR_ALL_MODES(LifecycleTest);

std::string what(const std::exception_ptr & exception) {
  try {
    if (exception == nullptr) return "nothing";
    std::rethrow_exception(exception);
  } catch (const std::exception & error) {
    return error.what();
  }
}

TEST_P(LifecycleTest, AStopBeforeTheSpinMakesItReturnAtOnce) {
  Rig rig(options("rm"), rights());
  int runs = 0;
  rig.add(task(), [&](const JobInfo &) { ++runs; });
  rig.processor().stop();
  rig.start();
  rig.join();
  EXPECT_EQ(runs, 0);
}

TEST_P(LifecycleTest, SpinsAgainOnTheSameGrid) {
  Rig rig(options("rm"), rights());
  std::vector<JobInfo> jobs;
  rig.add(task(), [&](const JobInfo & job) {
    jobs.push_back(job);
    if (jobs.size() % 5 == 0) rig.processor().stop();
  });
  for (int round = 0; round < 4; ++round) {
    rig.start();
    rig.join();
    EXPECT_FALSE(rig.processor().spinning());
  }
  ASSERT_EQ(jobs.size(), 20U);
  for (const JobInfo & job : jobs) {
    EXPECT_EQ(job.release - jobs[0].release,
              static_cast<model::Time>(job.index - jobs[0].index) * ms);
  }
}

TEST_P(LifecycleTest, ItsThreadsWaitFromOneSpinToTheNext) {
  Rig rig(options("rm"), rights());
  Watched<int> & ticks = rig.add_ticks();
  std::vector<std::pair<std::string, int>> first;
  for (int round = 0; round < 3; ++round) {
    const int before = ticks.get();
    rig.start();
    ASSERT_TRUE(ticks.wait_for_at_least(before + 3));
    std::vector<std::pair<std::string, int>> threads;
    const Grants grants = rig.processor().grants();
    for (const PlannedThread & each : grants.threads) threads.emplace_back(each.name, each.tid);
    rig.stop();
    const int at_end = ticks.get();
    if (round == 0) first = threads;
    // If real-time rights were refused, each spin requests them again, for new threads.
    if (grants.realtime) {
      EXPECT_EQ(threads, first);
    }
    EXPECT_EQ(rig.processor().counters(TaskId{0}).finished, static_cast<std::uint64_t>(at_end));
  }
}

// The child has no threads of its parent, so waiting for one would not end.
TEST(LifecycleInOneModeTest, SpinsInAChildOfForkAndEndsThere) {
#if defined(__SANITIZE_THREAD__)
  return;  // ThreadSanitizer permits no new threads after fork()
#endif
  Rig rig({.policy = "fp"});
  Watched<int> & ticks = rig.add_ticks();
  rig.start();
  ASSERT_TRUE(ticks.wait_for_at_least(1));
  rig.stop();
  const int before = ticks.get();
  const pid_t child = fork();
  if (child == 0) {
    rig.start();
    const bool ran = ticks.wait_for_at_least(before + 3);
    rig.stop();
    _exit(ran ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  rig.start();
  EXPECT_TRUE(ticks.wait_for_at_least(before + 3));
  rig.stop();
}

TEST_P(LifecycleTest, HandlersAreToldWhileItSpinsAlone) {
  Options given = options("fp");
  Watched<int> told;
  given.handlers.on_overrun = [&](const Overrun &, const std::string &) { told.add(1); };
  Rig rig(given, rights());
  Watched<int> runs;
  const auto task = rig.add_event("n/event", 1, [&](const JobInfo &) { runs.add(1); });
  for (int round = 1; round <= 2; ++round) {
    // The second release finds the first job unfinished.
    rig.processor().release(task);
    rig.processor().release(task);
    EXPECT_EQ(told.get(), round - 1);
    rig.start();
    EXPECT_TRUE(told.wait_for_at_least(round));
    EXPECT_TRUE(runs.wait_for_at_least(round));
    rig.stop();
    EXPECT_EQ(told.get(), round);
  }
}

TEST_P(LifecycleTest, ACallbackHasAsMuchStackAsAnOrdinaryThread) {
  Rig rig(options("rm"), rights());
  rig.add(task(), [&](const JobInfo &) {
    os::testing::go_deep(os::ordinary_stack_size() * 3 / 4);
    rig.processor().stop();
  });
  rig.start();
  EXPECT_EQ(rig.join(), nullptr);
}

TEST(LifecycleInOneModeTest, ACallbackThatUsesUpItsStackIsNamed) {
  if (os::testing::sanitized) GTEST_SKIP() << "sanitizers report a stack overflow themselves";
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(
      {
        Rig rig({.policy = "np-rm", .stack_size = 262'144});
        rig.add({.id = "n/deep", .period = ms, .deadline = ms},
                [](const JobInfo &) { os::testing::go_deep(std::size_t{1} << 30); });
        rig.start();
        rig.join();
      },
      "takt: callback 'n/deep': thread takt.w1 has used up its stack of 262144 bytes.*stack_size");
  EXPECT_THROW(Processor({.stack_size = 1000}), std::invalid_argument);
}

TEST_P(LifecycleTest, StopsFromAnotherThreadWhileOverloaded) {
  Rig rig(options("rm"), rights());
  Watched<int> runs;
  rig.add(task(), [&](const JobInfo & job) {
    while (os::now() < job.start + 2 * ms) {
    }
    runs.add(1);
  });
  rig.start();
  ASSERT_TRUE(runs.wait_for_at_least(3));
  rig.stop();
  const int at_stop = runs.get();
  rig.start();
  ASSERT_TRUE(runs.wait_for_at_least(at_stop + 3));
  rig.stop();
}

Processor * interrupted = nullptr;

TEST_P(LifecycleTest, StopsFromASignalHandler) {
  Rig rig(options("rm"), rights());
  Watched<int> runs;
  rig.add(task(), [&](const JobInfo &) { runs.add(1); });
  rig.start();
  ASSERT_TRUE(runs.wait_for_at_least(1));
  interrupted = &rig.processor();
  const auto before = std::signal(SIGUSR1, [](int) { interrupted->stop(); });
  std::raise(SIGUSR1);
  std::signal(SIGUSR1, before);
  EXPECT_EQ(rig.join(), nullptr);
}

TEST_P(LifecycleTest, StopsFromTheHandlerOfMisses) {
  Processor * processor = nullptr;
  Options given = options("rm");
  given.handlers.on_miss = [&](const Miss &, const std::string &) { processor->stop(); };
  Rig rig(given, rights());
  processor = &rig.processor();
  rig.add(task(), [&](const JobInfo & job) {
    while (os::now() <= job.deadline) {
    }
  });
  rig.start();
  EXPECT_EQ(rig.join(), nullptr);
}

TEST_P(LifecycleTest, ASecondSpinIsRefused) {
  Rig rig(options("rm"), rights());
  Watched<int> runs;
  rig.add(task(), [&](const JobInfo &) { runs.add(1); });
  rig.start();
  ASSERT_TRUE(runs.wait_for_at_least(1));
  EXPECT_TRUE(rig.processor().spinning());
  EXPECT_THROW(rig.processor().spin(), std::logic_error);
  EXPECT_TRUE(runs.wait_for_at_least(runs.get() + 2)) << "the first spin must continue";
  rig.stop();
}

TEST_P(LifecycleTest, BetweenSpinsThePolicyMayBeExchanged) {
  Rig rig(options("rm"), rights());
  std::string order;
  const auto say = [&](const char * name) {
    return [&order, &rig, name](const JobInfo &) {
      order += name;
      if (order.size() == 2) rig.processor().stop();
    };
  };
  const auto low = rig.add_event("n/low", 1, say("l"));
  const auto high = rig.add_event("n/high", 2, say("h"));
  for (const auto task : {low, high}) rig.processor().release(task);
  // Pending jobs are re-ranked.
  rig.processor().set_policy(options("fp").policy);
  EXPECT_EQ(rig.processor().grants().policy, options("fp").policy);
  rig.start();
  rig.join();
  EXPECT_EQ(order, "hl");
  EXPECT_EQ(rig.processor().counters(low).finished, 1u);
  EXPECT_THROW(rig.processor().set_policy("none such"), std::invalid_argument);
  EXPECT_THROW(rig.processor().set_policy("mine", [] { return nullptr; }), std::invalid_argument);
  EXPECT_EQ(rig.processor().grants().policy, options("fp").policy);

  Watched<bool> tried;
  const auto trying = rig.add_event("n/try", 1, [&](const JobInfo &) {
    EXPECT_THROW(rig.processor().set_policy("edf"), std::logic_error);
    tried.set(true);
  });
  rig.start();
  rig.processor().release(trying);
  EXPECT_TRUE(tried.wait_for(true));
  rig.stop();
}

TEST_P(LifecycleTest, AnExceptionEndsTheSpinAndComesOutOfIt) {
  Rig rig(options("rm"), rights());
  int runs = 0;
  rig.add(task(), [&](const JobInfo &) {
    if (++runs == 3) throw std::runtime_error("on purpose");
  });
  rig.start();
  EXPECT_EQ(what(rig.join()), "on purpose");
  EXPECT_THAT(rig.log().read(),
              ::testing::Contains("exception in callback 'n/a', which ends spin(): on purpose"));
  EXPECT_EQ(runs, 3);
  EXPECT_EQ(rig.processor().statistics().exceptions, 1U);
  rig.processor().stop();
  rig.start();
  EXPECT_EQ(what(rig.join()), "nothing") << "an exception must be rethrown only once";
}

TEST_P(LifecycleTest, AnExceptionMayBeReportedOnly) {
  Options given = options("rm");
  given.on_exception = OnException::report;
  Rig rig(given, rights());
  Watched<int> runs;
  rig.add(task(), [&](const JobInfo &) {
    runs.add(1);
    throw std::runtime_error("on purpose");
  });
  rig.start();
  ASSERT_TRUE(runs.wait_for_at_least(3));
  EXPECT_EQ(what(rig.stop()), "nothing");
  EXPECT_THAT(rig.log().read(), ::testing::Contains("exception in callback 'n/a': on purpose"));
}

TEST_P(LifecycleTest, AnExceptionOfTheHandlerOfMissesFollowsTheSameRule) {
  Options given = options("rm");
  given.handlers.on_miss = [](const Miss &, const std::string &) {
    throw std::runtime_error("on purpose");
  };
  Rig rig(given, rights());
  rig.add(task(), [&](const JobInfo & job) {
    while (os::now() <= job.deadline) {
    }
  });
  rig.start();
  EXPECT_EQ(what(rig.join()), "on purpose");
}

TEST_P(LifecycleTest, TheDestructorEndsASpin) {
  auto processor = std::make_unique<Processor>(options("rm"));
  Watched<int> runs;
  const auto count = [](void * context, const JobInfo &) {
    static_cast<Watched<int> *>(context)->add(1);
  };
  processor->add_task(task(), {count, &runs});
  Watched<bool> returned;
  std::thread spinner([&, address = processor.get()] {
    if (!rights()) testing::drop_realtime_rights();
    address->spin();
    returned.set(true);
  });
  EXPECT_TRUE(runs.wait_for_at_least(1));
  processor.reset();
  EXPECT_TRUE(returned.wait_for(true));
  spinner.join();
}

// Releases by other threads continue while the processor starts, stops and starts again.
TEST_P(LifecycleTest, ReleasesMayComeAtAnyTime) {
  Rig rig(options("fp"), rights());
  Watched<int> runs;
  const auto id = rig.add_event("n/event", 10, [&](const JobInfo &) { runs.add(1); });
  rig.add_event("n/other", 20, [](const JobInfo &) {});
  std::atomic<bool> end{false};
  std::thread middleware([&] {
    while (!end) {
      rig.processor().release(id);
      std::this_thread::yield();
    }
  });
  for (int round = 0; round < 5; ++round) {
    const int before = runs.get();
    rig.start();
    EXPECT_TRUE(runs.wait_for_at_least(before + 20));
    rig.stop();
  }
  end = true;
  middleware.join();
}

TEST(LifecycleInOneModeTest, TerminateIsARuleToo) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(
      {
        Rig rig({.policy = "np-rm", .on_exception = OnException::terminate});
        rig.add({.id = "n/a", .period = ms, .deadline = ms},
                [](const JobInfo &) { throw std::runtime_error("on purpose"); });
        rig.start();
        rig.join();
      },
      "on purpose");
}

}  // namespace
}  // namespace takt::executor
