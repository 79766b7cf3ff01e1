// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// Start, stop, exceptions, destruction.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <csignal>
#include <memory>
#include <stdexcept>
#include <thread>

#include "takt_core/executor/processor.hpp"
#include "takt_core/os/clock.hpp"
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

TEST_P(LifecycleTest, a_stop_before_the_spin_makes_it_return_at_once) {
  Rig rig(options("rm"), rights());
  int runs = 0;
  rig.add(task(), [&](const JobInfo &) { ++runs; });
  rig.processor().stop();
  rig.start();
  rig.join();
  EXPECT_EQ(runs, 0);
}

TEST_P(LifecycleTest, spins_again_on_the_same_grid) {
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

TEST_P(LifecycleTest, stops_from_another_thread_while_overloaded) {
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

TEST_P(LifecycleTest, stops_from_a_signal_handler) {
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

TEST_P(LifecycleTest, stops_from_the_handler_of_misses) {
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

TEST_P(LifecycleTest, a_second_spin_is_refused) {
  Rig rig(options("rm"), rights());
  Watched<int> runs;
  rig.add(task(), [&](const JobInfo &) { runs.add(1); });
  rig.start();
  ASSERT_TRUE(runs.wait_for_at_least(1));
  EXPECT_TRUE(rig.processor().spinning());
  EXPECT_THROW(rig.processor().spin(), std::logic_error);
  EXPECT_TRUE(runs.wait_for_at_least(runs.get() + 2)) << "it goes on";
  rig.stop();
}

TEST_P(LifecycleTest, between_spins_the_policy_may_be_exchanged) {
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
  // What is pending is ranked anew.
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

TEST_P(LifecycleTest, an_exception_ends_the_spin_and_comes_out_of_it) {
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
  EXPECT_EQ(what(rig.join()), "nothing") << "only once";
}

TEST_P(LifecycleTest, an_exception_may_be_reported_only) {
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

TEST_P(LifecycleTest, an_exception_of_the_handler_of_misses_follows_the_same_rule) {
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

TEST_P(LifecycleTest, the_destructor_ends_a_spin) {
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

// Releases from outside go on while it starts, stops and starts again.
TEST_P(LifecycleTest, releases_may_come_at_any_time) {
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

TEST(Lifecycle, terminate_is_a_rule_too) {
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
