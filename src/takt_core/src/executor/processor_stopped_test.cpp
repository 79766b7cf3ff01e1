// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// Stopping and continuing the process: SIGSTOP, SIGCONT.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>
#include <thread>
#include <tuple>
#include <vector>

#include "takt_core/executor/processor.hpp"
#include "takt_core/os/clock.hpp"
#include "takt_core/os/threads.hpp"
#include "testing/harness.hpp"
#include "testing/modes.hpp"
#include "testing/stopper.hpp"

namespace takt::executor {
namespace {

using namespace std::chrono_literals;
using ::testing::Contains;
using ::testing::HasSubstr;
using testing::ms;
using ::testing::Not;
using testing::Rig;
using testing::Stopper;
using testing::Watched;

class StoppedTest : public testing::ModeTest {
 protected:
  /// Calls `stop` in the middle of each callback, with the number of the stop, from 1, and the
  /// callback's thread id.
  void stop_callbacks(int stops, const std::function<Stopper::Interval(int, int)> & stop);

  Stopper stopper_;
};
TAKT_FOR_ALL_MODES(StoppedTest);

void StoppedTest::stop_callbacks(int stops,
                                 const std::function<Stopper::Interval(int, int)> & stop) {
  Watched<int> inside;
  std::atomic<int> tid = 0;
  std::atomic<model::Duration> lasted = 0;
  Rig rig(watched("fp"), rights());
  const auto task = rig.add_event("n/inside", 1, [&](const JobInfo & job) {
    tid = os::thread_id();
    inside.add(1);
    testing::burn(20ms);
    lasted = os::now() - job.start;
  });
  rig.start();
  for (int which = 1; which <= stops; ++which) {
    rig.processor().release(task);
    ASSERT_TRUE(inside.wait_for(which));
    const Stopper::Interval stopped = stop(which, tid);
    if (stopped.to == stopped.from) GTEST_SKIP() << "this host lets no process trace another one";
    // Waits until the job has finished: an earlier release would be skipped.
    while (rig.processor().counters(task).finished < static_cast<std::uint64_t>(which)) {
      std::this_thread::yield();
    }
    if (lasted - (stopped.to - stopped.from) > 100 * ms) return;  // the machine is too busy
  }
  rig.stop();
  EXPECT_THAT(rig.log().read(), Not(Contains(HasSubstr("n/inside"))));
  EXPECT_EQ(rig.processor().statistics().unreturned_callbacks, 0U);
}

/// Records the jobs of a timer, in order.
class Jobs {
 public:
  void add(const JobInfo & job) {
    {
      const std::lock_guard lock(mutex_);
      jobs_.push_back(job);
    }
    count_.add(1);
  }
  bool wait_for_more(int more) { return count_.wait_for_at_least(count_.get() + more); }
  std::vector<JobInfo> all() const {
    const std::lock_guard lock(mutex_);
    return jobs_;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<JobInfo> jobs_;
  Watched<int> count_;
};

TEST_P(StoppedTest, ReleasesStayOnTheGridAndWhatWasMissedIsCounted) {
  constexpr model::Duration period = 10 * ms;
  constexpr std::uint32_t queue = 3;
  Options given = options("edf");
  std::atomic<std::uint64_t> shed = 0;
  std::atomic<std::uint64_t> missed = 0;
  given.handlers.on_overrun = [&](const Overrun & overrun, const std::string &) {
    if (overrun.skipped) shed += overrun.count;
  };
  given.handlers.on_miss = [&](const Miss &, const std::string &) { ++missed; };
  Jobs skips;
  Jobs queues;
  Rig rig(given, rights());
  const auto skipping = rig.add({.id = "n/skips", .period = period, .deadline = period},
                                [&](const JobInfo & job) { skips.add(job); });
  const auto queueing =
      rig.add({.id = "n/queues", .period = period, .deadline = period, .queue = queue},
              [&](const JobInfo & job) { queues.add(job); });
  rig.start();
  ASSERT_TRUE(skips.wait_for_more(5));
  constexpr int stops = 3;
  std::vector<Stopper::Interval> intervals;
  for (int stop = 0; stop < stops; ++stop) {
    intervals.push_back(stopper_.stop_for(300 * ms));
    ASSERT_TRUE(skips.wait_for_more(10));
    ASSERT_TRUE(queues.wait_for_more(10));
  }
  rig.stop();

  for (const auto & [task, jobs, waiting] :
       {std::tuple{skipping, &skips, 0U}, std::tuple{queueing, &queues, queue}}) {
    const std::vector<JobInfo> all = jobs->all();
    for (std::size_t i = 1; i < all.size(); ++i) {
      ASSERT_GT(all[i].index, all[i - 1].index);
      ASSERT_EQ(all[i].release - all[0].release,
                static_cast<model::Time>(all[i].index - all[0].index) * period);
    }
    std::uint64_t late = 0;
    for (const Stopper::Interval & interval : intervals) {
      const auto within = std::count_if(all.begin(), all.end(), [&interval](const JobInfo & job) {
        return job.release > interval.from && job.release < interval.to - 2 * period;
      });
      // Of some thirty releases only the first, and those that fit into the queue.
      EXPECT_LE(within, 1 + waiting) << "more jobs than can be queued ran after a stop";
      // The newest release when the process continued, which may be later than SIGCONT.
      const auto first = std::find_if(all.begin(), all.end(),
                                      [&](const JobInfo & job) { return job.start > interval.to; });
      ASSERT_NE(first, all.end());
      // Some may have been queued when it was stopped.
      const auto waited = std::count_if(all.begin(), all.end(), [&](const JobInfo & job) {
        return job.start > interval.from && job.release < first->start;
      });
      EXPECT_GE(waited, waiting) << "fewer jobs were queued than the queue can hold";
      late += static_cast<std::uint64_t>(within);
    }
    const model::TaskCounters counters = rig.processor().counters(task);
    EXPECT_GE(counters.released, all.back().index - all.front().index + 1);
    EXPECT_LE(counters.released - counters.skipped - counters.finished, 1 + waiting);
    EXPECT_GE(counters.skipped, stops * (300 * ms / period - 4 - waiting));
    EXPECT_GE(counters.missed, late);
  }
  const Statistics statistics = rig.processor().statistics();
  const std::uint64_t skipped =
      rig.processor().counters(skipping).skipped + rig.processor().counters(queueing).skipped;
  EXPECT_EQ(statistics.unreported, 0U);
  EXPECT_EQ(shed, skipped) << "the handler must get every skipped release";
  EXPECT_EQ(missed,
            rig.processor().counters(skipping).missed + rig.processor().counters(queueing).missed);
}

TEST_P(StoppedTest, TheWatchdogBlamesNoCallbackForIt) {
  // Over several checks of the watchdog.
  stop_callbacks(5,
                 [&](int stop, int) { return stopper_.stop_for(stop == 4 ? 500 * ms : 300 * ms); });
}

/// As a debugger stops a single thread, which the watchdog cannot notice by its own thread.
TEST_P(StoppedTest, TheWatchdogBlamesNoCallbackForAStopOfItsThread) {
  stop_callbacks(2, [&](int, int tid) { return stopper_.stop_thread_for(tid, 500 * ms); });
}

TEST_P(StoppedTest, TheWatchdogGoesOnLooking) {
  // Read until the rig is destroyed.
  std::atomic<bool> end{false};
  Watched<bool> inside;
  Rig rig(watched("fp"), rights());
  const auto task = rig.add_event("n/endless", 1, [&](const JobInfo &) {
    inside.set(true);
    // Bounded, since it runs at a real-time priority.
    for (const os::Time last = os::now() + 20'000 * ms; !end && os::now() < last;) {
    }
  });
  rig.start();
  rig.processor().release(task);
  ASSERT_TRUE(inside.wait_for(true));
  stopper_.stop_for(100 * ms);
  EXPECT_TRUE(rig.log().wait_for("callback 'n/endless' has not returned for 200 ms or more"));
  end = true;
}

}  // namespace
}  // namespace takt::executor
