// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "watchdog.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "takt_core/model/urgency_policy.hpp"
#include "takt_core/os/clock.hpp"
#include "takt_core/os/event.hpp"
#include "takt_core/os/rights.hpp"
#include "takt_core/os/thread.hpp"
#include "takt_core/os/threads.hpp"
#include "testing/cpuset.hpp"
#include "testing/harness.hpp"
#include "testing/modes.hpp"

namespace takt::executor {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using testing::ms;
using ::testing::Not;
using testing::Rig;
using testing::Watched;

class WatchdogTest : public testing::ModeTest {};
TAKT_FOR_ALL_MODES(WatchdogTest);

TEST_P(WatchdogTest, NamesCallbacksThatBlockNowAndThenAndOnlyThose) {
  Rig rig(watched("rm"), rights());
  rig.add({.id = "n/sleeper", .period = 5 * ms, .deadline = 5 * ms},
          [](const JobInfo &) { os::sleep_until(os::now() + ms / 2); });
  rig.add({.id = "n/worker", .period = 5 * ms, .deadline = 5 * ms},
          [](const JobInfo &) { testing::burn(std::chrono::microseconds(100)); });
  // Waiting inside the middleware is not the callback's doing.
  rig.add({.id = "n/publisher", .period = 5 * ms, .deadline = 5 * ms}, [](const JobInfo &) {
    const Processor::Section section;
    os::sleep_until(os::now() + ms / 4);
  });
  rig.start();
  EXPECT_TRUE(rig.log().wait_for("callback 'n/sleeper' blocks"));
  rig.stop();
  // A busy host may keep them from the CPU for long, which is reported, too, but with another text.
  EXPECT_THAT(rig.log().read(), Not(Contains(HasSubstr("'n/worker' blocks"))));
  EXPECT_THAT(rig.log().read(), Not(Contains(HasSubstr("'n/publisher' blocks"))));
  EXPECT_GE(rig.processor().statistics().blocked_callbacks, 1U);
}

TEST_P(WatchdogTest, NamesACallbackWhileItBlocksAndOnlyOnce) {
  Rig rig(watched("rm"), rights());
  os::Event end;
  std::atomic<int> runs{0};
  rig.add({.id = "n/stuck", .period = 5 * ms, .deadline = 5 * ms}, [&](const JobInfo &) {
    if (++runs == 1) end.wait();
    if (runs > 3) rig.processor().stop();
  });
  rig.start();
  EXPECT_TRUE(rig.log().wait_for("callback 'n/stuck' blocks"));
  EXPECT_EQ(runs, 1);
  end.post();
  rig.join();
  // A busy host may delay its return for a second as well, which is reported, too, but with another
  // text.
  EXPECT_THAT(rig.log().read(), Contains(HasSubstr("'n/stuck' blocks")).Times(1));
}

TEST_P(WatchdogTest, NamesACallbackThatDoesNotReturnAndNotWhoWaitsForIt) {
  Rig rig(watched("fp"), rights());
  std::atomic<bool> end{false};
  rig.add({.id = "n/below", .period = 5 * ms, .deadline = 5 * ms, .priority = 1},
          [&](const JobInfo &) { testing::burn(std::chrono::microseconds(100)); });
  rig.add({.id = "n/endless", .period = 100 * ms, .deadline = 100 * ms, .priority = 2},
          [&](const JobInfo &) {
            // Bounded, since it runs at a real-time priority.
            for (const os::Time last = os::now() + 20'000 * ms; !end && os::now() < last;) {
            }
          });
  rig.start();
  EXPECT_TRUE(rig.log().wait_for("callback 'n/endless' has not returned for 200 ms or more"));
  end = true;
  rig.stop();
  EXPECT_THAT(rig.log().read(), Not(Contains(HasSubstr("callback 'n/below'"))));
  EXPECT_THAT(rig.log().read(), Contains(HasSubstr("n/endless")).Times(1));
  EXPECT_GE(rig.processor().statistics().unreturned_callbacks, 1U);
}

TEST_P(WatchdogTest, NamesTheRemedyThatFitsToWhatWaits) {
  for (const bool one_group : {false, true}) {
    Rig rig(watched("fp"), rights());
    os::Event end;
    const GroupId group = rig.processor().add_group({});
    const auto waits = rig.add_event("n/waits", one_group ? 50 : 5, [](const JobInfo &) {}, group);
    const auto stuck = rig.add_event(
        "n/stuck", 10,
        [&](const JobInfo &) {
          rig.processor().release(waits);
          end.wait();
        },
        one_group ? group : GroupId::none);
    rig.start();
    rig.processor().release(stuck);
    EXPECT_TRUE(rig.log().wait_for("callback 'n/stuck' blocks"));
    const std::string remedy =
        !rights()     ? "as nothing can preempt without real-time priorities: get real-time rights "
                        "(see `takt doctor`), "
        : !preempts() ? "as policy np-fp does not preempt: choose one that does, "
        : one_group   ? "put callback 'n/stuck' into a group of its own, "
                      : "as it is not more urgent: give 'n/waits' a higher priority, ";
    EXPECT_THAT(rig.log().read(), Contains(HasSubstr("'n/waits' waits for it, ")));
    EXPECT_THAT(rig.log().read(), Contains(HasSubstr(remedy)));
    end.post();
    rig.stop();
  }
}

TEST_P(WatchdogTest, SaysThatWithoutPreemptionNothingElseOfTheProcessorMayStart) {
  for (const bool blocks : {true, false}) {
    Rig rig(watched("fp"), rights());
    std::atomic<bool> end{false};
    os::Event end_wait;
    const auto stuck = rig.add_event("n/stuck", 10, [&](const JobInfo &) {
      if (blocks) {
        end_wait.wait();
      } else {
        // Bounded, since it runs at a real-time priority.
        for (const os::Time last = os::now() + 20'000 * ms; !end && os::now() < last;) {
        }
      }
    });
    rig.start();
    rig.processor().release(stuck);
    EXPECT_TRUE(rig.log().wait_for(blocks ? "callback 'n/stuck' blocks"
                                          : "callback 'n/stuck' has not returned"));
    EXPECT_THAT(rig.log().read(),
                Contains(HasSubstr(preempts() ? ", and nothing of its preemption level and below "
                                                "may start meanwhile: "
                                              : ", and nothing else of this processor may start "
                                                "meanwhile: ")));
    end = true;
    end_wait.post();
    rig.stop();
  }
}

/// Advice on preemption.
class WatchdogAdviceTest : public testing::ModeTest {
 protected:
  /// Expects this advice if a callback blocks and another one of its level waits for it.
  static void expect_advice(Rig & rig, const std::string & advice) {
    os::Event end;
    const auto waits = rig.add_event("n/waits", 1, [](const JobInfo &) {});
    const auto stuck = rig.add_event("n/stuck", 1, [&](const JobInfo &) {
      rig.processor().release(waits);
      end.wait();
    });
    rig.start();
    rig.processor().release(stuck);
    EXPECT_TRUE(rig.log().wait_for("callback 'n/stuck' blocks"));
    EXPECT_THAT(rig.log().read(), Contains(HasSubstr("'n/waits' waits for it, " + advice + ", ")));
    end.post();
    rig.stop();
  }
};
TAKT_WHERE_IT_PREEMPTS(WatchdogAdviceTest);

TEST_P(WatchdogAdviceTest, NamesWhatMakesACallbackMoreUrgentUnderThePolicy) {
  const std::pair<std::string, std::string> policies[] = {{"fp", "a higher priority"},
                                                          {"rm", "a shorter period"},
                                                          {"dm", "a shorter deadline"},
                                                          {"edf", "a shorter deadline"}};
  for (const auto & [policy, what] : policies) {
    Rig rig(watched(policy));
    expect_advice(rig, "as it is not more urgent: give 'n/waits' " + what);
  }
  Options own = watched("fp");
  own.custom_policy = [] {
    return std::make_unique<model::UrgencyPolicy>(
        "own",
        [](const model::Task &, const model::Job & job, const model::ApplicationState &) {
          return job.release;
        },
        [](const model::Task & task) { return task.priority; });
  };
  Rig rig(own);
  expect_advice(rig,
                "as it is not more urgent: give 'n/waits' a higher preemption rank in policy own");
}

TEST_P(WatchdogAdviceTest, IsThatForTheActiveScenario) {
  const std::pair<std::string, std::string> policies[] = {
      {"edf", "as it is not more urgent: give 'n/waits' a shorter deadline"},
      {"np-edf", "as policy np-edf does not preempt: choose one that does"}};
  for (const auto & [policy, advice] : policies) {
    Rig rig(watched("fp"));
    std::vector<Scenario> scenarios(1);
    scenarios[0].policy = policy;
    rig.processor().set_scenarios(scenarios, 1);
    expect_advice(rig, advice);
  }
}

/// A thread started by a callback, with or without a name of its own.
class Started {
 public:
  Started(bool widen, bool named)
      : rig_({.policy = "rm",
              .cpu = os::allowed_cpus().back(),
              .watchdog_interval = 200 * ms,
              .widen_started_threads = widen}) {
    Watched<int> tid;
    std::thread thread;
    rig_.add({.id = "n/starts", .period = ms, .deadline = ms}, [&](const JobInfo &) {
      if (thread.joinable()) return;
      thread = std::thread([&] {
        if (named) os::name_thread("test.started");
        tid.set(os::thread_id());
        end_.wait();
      });
    });
    rig_.start();
    EXPECT_TRUE(tid.wait_until([](int known) { return known > 0; }));
    const std::string which =
        named
            ? "thread 'test.started' "
            : "a thread without a name of its own, started by a callback (it is called takt.w1), ";
    if (os::allowed_cpus().size() < 2) {
      said_ = !widen;
    } else if (widen) {
      EXPECT_TRUE(testing::busy_until([&] { return os::pinned_cpu(tid.get()) < 0; }));
    } else {
      said_ = rig_.log().wait_for(which + "may run on CPU " +
                                  std::to_string(os::allowed_cpus().back()) + " alone");
      EXPECT_GE(os::pinned_cpu(tid.get()), 0);
    }
    rig_.stop();
    end_.post();
    thread.join();
  }
  bool said() const { return said_; }

 private:
  Rig rig_;
  os::Event end_;
  bool said_ = false;
};

TEST(WatchdogInOneModeTest, NamesThreadsThatCallbacksStartOrLetsThemUseAllCpus) {
  for (const bool named : {true, false}) {
    EXPECT_TRUE(Started(false, named).said());
    EXPECT_FALSE(Started(true, named).said());
  }
}

TEST(WatchdogInOneModeTest, SaysThatTheCpuWasTakenAndThatItIsBack) {
  const std::vector<int> cpus = os::allowed_cpus();
  const testing::Cpuset cpuset;
  const std::string both = std::to_string(cpus.front()) + "," + std::to_string(cpus.back());
  if (cpus.size() < 2 || !cpuset.set(both) || !cpuset.enter()) {
    GTEST_SKIP() << "this process cannot create a cpuset";
  }
  Rig rig({.policy = "rm", .watchdog_interval = 200 * ms}, true, {cpus.front(), cpus.back()});
  Watched<int> & ticks = rig.add_ticks();
  rig.start();
  ASSERT_TRUE(ticks.wait_for_at_least(1));
  EXPECT_TRUE(rig.processors().grants().pinned);
  const std::string lost = "CPU " + std::to_string(cpus.back()) + " was taken from the executor";
  ASSERT_TRUE(cpuset.set(std::to_string(cpus.front())));
  EXPECT_TRUE(rig.log().wait_for(lost));
  EXPECT_FALSE(rig.processors().grants().pinned);
  EXPECT_THAT(rig.processors().grants().refused, Contains(HasSubstr(lost)));
  ASSERT_TRUE(cpuset.set(both));
  EXPECT_TRUE(
      rig.log().wait_for("CPU " + std::to_string(cpus.back()) + " is the executor's again"));
  EXPECT_TRUE(rig.processors().grants().pinned);
  EXPECT_THAT(rig.processors().grants().refused, Not(Contains(HasSubstr(lost))));
  rig.stop();
}

TEST_P(WatchdogTest, NamesTheClientWhoseResponseItMayBeWaitingFor) {
  using How = Awaited::How;
  for (const How how : {How::same_node, How::responded, How::asked}) {
    Options given = watched("rm");
    given.awaited = [how](TaskId) { return Awaited{{"n/add", "n/sub"}, how}; };
    Rig rig(given, rights());
    os::Event end;
    std::atomic<int> runs{0};
    rig.add({.id = "n/stuck", .period = 5 * ms, .deadline = 5 * ms}, [&](const JobInfo &) {
      if (++runs == 1) end.wait();
    });
    rig.start();
    EXPECT_TRUE(rig.log().wait_for("callback 'n/stuck' blocks"));
    EXPECT_THAT(
        rig.log().read(),
        Contains(::testing::AllOf(
            HasSubstr(how == How::same_node ? "if it waits for the response"
                                            : "it seems to wait for the response"),
            HasSubstr("client 'n/add', 'n/sub'"), HasSubstr("async_send_request()"),
            HasSubstr(preempts() ? "a group of its own and a shorter period than callback "
                                   "'n/stuck', or another CPU"
                                 : "give the client (and its service, if it runs here) another "
                                   "CPU"))));
    // If it may be waiting for something else, the remedy for that is named, too.
    const auto other = Contains(HasSubstr("let a thread of its own wait; "));
    if (how == How::asked) {
      EXPECT_THAT(rig.log().read(), Not(other));
    } else {
      EXPECT_THAT(rig.log().read(), other);
    }
    end.post();
    rig.stop();
  }
}

TEST(WatchdogInOneModeTest, GivesMiddlewareThreadsThatAppearLaterTheirPriority) {
  Rig rig({.policy = "rm", .watchdog_interval = 200 * ms});
  Watched<int> & ticks = rig.add_ticks();
  rig.start();
  ASSERT_TRUE(ticks.wait_for_at_least(1));
  os::Event end_data;
  os::Event end_discovery;
  const os::Thread data({.name = "dds.udp.7411"}, [&] { end_data.wait(); });
  const os::Thread discovery({.name = "dds.udp.7410"}, [&] { end_discovery.wait(); });
  const auto planned = [&] {
    for (const PlannedThread & thread : rig.processor().grants().threads) {
      if (thread.tid == data.tid()) return true;
    }
    return false;
  };
  while (!planned()) ASSERT_TRUE(ticks.wait_for_at_least(ticks.get() + 10));
  // Without rights the thread keeps its priority, but the request is recorded all the same.
  EXPECT_EQ(os::realtime_priority(data.tid()),
            testing::realtime_available() ? PriorityPlan{}.middleware : 0);
  EXPECT_EQ(os::realtime_priority(discovery.tid()), PriorityPlan{}.background);
  end_data.post();
  end_discovery.post();
}

}  // namespace
}  // namespace takt::executor
