// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// Timers whose releases follow a grid of their own.
#include <gmock/gmock.h>

#include <cstdint>
#include <map>
#include <stdexcept>
#include <vector>

#include "takt_core/model/local_scheduler.hpp"

namespace takt::model {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class OwnGridTest : public ::testing::Test {
 protected:
  OwnGridTest() {
    scheduler_.set_release_observer(
        [](void * self, const ReleaseNotice & notice) {
          auto & releases = static_cast<OwnGridTest *>(self)->releases_;
          static_cast<OwnGridTest *>(self)->last_index_[notice.job.task] = notice.job.index;
          for (std::uint64_t i = 0; i < notice.count; ++i) {
            const auto later = static_cast<Duration>(i) * notice.apart;
            releases.push_back(notice.job.release + later);
          }
        },
        this);
  }

  TaskId add(const Task & task) {
    const TaskId id = scheduler_.add_task(task);
    scheduler_.commit();
    return id;
  }
  static Task timer(Duration period, bool own = true) {
    Task task;
    task.id = "n/t";
    task.period = period;
    task.deadline = period;
    task.own_grid = own;
    return task;
  }
  void reset(TaskId id, Time now) {
    scheduler_.restart(id, now + scheduler_.task(id).period, now, now);
  }
  /// The releases up to `now`; each job runs at once.
  std::vector<Time> until(Time now) {
    releases_.clear();
    for (Time next = scheduler_.next_event(); next <= now; next = scheduler_.next_event()) {
      scheduler_.advance(next);
      const Decision decision = scheduler_.decide(next);
      if (decision.kind == Decision::Kind::start) scheduler_.finish(decision.worker, next);
    }
    return releases_;
  }

  LocalScheduler scheduler_{make_policy("rm")};
  std::vector<Time> releases_;
  std::map<TaskId, std::uint64_t> last_index_;
};

TEST_F(OwnGridTest, BeginsWhereItIsToldAndNotBefore) {
  const TaskId id = add(timer(10));
  scheduler_.start_grid(0);
  scheduler_.commit();
  EXPECT_EQ(scheduler_.next_event(), never);
  scheduler_.restart(id, 7, 0);
  EXPECT_THAT(until(40), ElementsAre(7, 17, 27, 37));
}

TEST_F(OwnGridTest, NeedsNoGridOfTheScheduler) {
  scheduler_.restart(add(timer(10)), 7, 0);
  EXPECT_THAT(until(20), ElementsAre(7, 17));
}

TEST_F(OwnGridTest, BeginsAnew) {
  const TaskId id = add(timer(10));
  scheduler_.restart(id, 7, 0);
  EXPECT_THAT(until(20), ElementsAre(7, 17));
  scheduler_.restart(id, 22, 0);
  EXPECT_THAT(until(40), ElementsAre(22, 32));
  EXPECT_EQ(scheduler_.counters(id).released, 4u);
}

TEST_F(OwnGridTest, StopsUntilItIsRestarted) {
  const TaskId id = add(timer(10));
  scheduler_.restart(id, 0, 0);
  EXPECT_THAT(until(5), ElementsAre(0));
  scheduler_.restart(id, never, 0);
  EXPECT_THAT(until(100), IsEmpty());
  scheduler_.restart(id, 100, 0);
  EXPECT_THAT(until(115), ElementsAre(100, 110));
}

TEST_F(OwnGridTest, OthersStayWhereTheyAre) {
  const TaskId id = add(timer(10));
  const TaskId other = add(timer(10, false));
  scheduler_.start_grid(0);
  scheduler_.commit();
  scheduler_.restart(id, 5, 0);
  EXPECT_THAT(until(19), ElementsAre(0, 5, 10, 15));
  scheduler_.restart(id, 21, 0);
  EXPECT_THAT(until(31), ElementsAre(20, 21, 30, 31));
  EXPECT_EQ(scheduler_.counters(other).released, 4u);
}

TEST_F(OwnGridTest, OnTheGridOfOthersOneThatIsResetPassesItsPointsOver) {
  const TaskId id = add(timer(10, false));
  add(timer(20, false));
  scheduler_.start_grid(0);
  scheduler_.commit();
  EXPECT_THAT(until(10), ElementsAre(0, 0, 10));
  // A reset moves the next point, which is always less than a period away, so only one is reached.
  for (const Time now : {14, 18, 22, 26}) {
    reset(id, now);
    EXPECT_EQ(until(now + 3), now == 18 ? std::vector<Time>{20} : std::vector<Time>{});
  }
  EXPECT_THAT(until(60), ElementsAre(40, 40, 50, 60, 60));
  EXPECT_EQ(scheduler_.counters(id).released, 5u);
  EXPECT_EQ(scheduler_.counters(id).skipped, 0u);
  // Points that were passed over keep their numbers.
  EXPECT_EQ(last_index_[id], 6u);
}

TEST_F(OwnGridTest, OnTheGridOfOthersOneMayRestForALongTime) {
  const TaskId id = add(timer(10, false));
  scheduler_.start_grid(0);
  scheduler_.commit();
  reset(id, 85);
  scheduler_.advance(200);  // several points late
  EXPECT_EQ(scheduler_.counters(id).released, 11u);
  EXPECT_EQ(scheduler_.counters(id).skipped, 10u);
  scheduler_.restart(id, never, 200);
  scheduler_.advance(400);
  EXPECT_EQ(scheduler_.counters(id).released, 11u);
}

TEST_F(OwnGridTest, OnTheGridOfOthersOneIsResetForThePeriodOfTheScenario) {
  const TaskId id = add(timer(10, false));
  std::vector<Scenario> scenarios(2);
  scenarios[0].timings[id].period = 25;
  scenarios[1].timings[id].period = 4;
  scheduler_.set_scenarios(std::move(scenarios), 0);
  scheduler_.commit();
  scheduler_.set_scenario(1, 0);
  scheduler_.start_grid(0);
  scheduler_.commit();
  EXPECT_THAT(until(5), ElementsAre(0));
  reset(id, 5);
  EXPECT_THAT(until(20), IsEmpty());
  reset(id, 20);
  EXPECT_THAT(until(80), ElementsAre(50, 75));
  scheduler_.set_scenario(2, 80);
  reset(id, 82);
  EXPECT_THAT(until(95), ElementsAre(88, 92));
  // What counts is the period of the scenario that is active when a point is reached.
  reset(id, 96);
  scheduler_.set_scenario(1, 97);
  EXPECT_THAT(until(130), ElementsAre(125));
  reset(id, 140);
  scheduler_.set_scenario(0, 141);
  EXPECT_THAT(until(160), ElementsAre(150, 160));
}

TEST_F(OwnGridTest, OutlivesAChangeOfTasks) {
  scheduler_.restart(add(timer(10)), 7, 0);
  EXPECT_THAT(until(20), ElementsAre(7, 17));
  add(timer(50));
  EXPECT_THAT(until(40), ElementsAre(27, 37));
}

TEST_F(OwnGridTest, TakesThePeriodOfAScenario) {
  const TaskId id = add(timer(10));
  scheduler_.restart(id, 7, 0);
  std::vector<Scenario> scenarios(2);
  scenarios[0].timings[id].period = 4;
  scenarios[1].timings[id].suspended = true;
  scheduler_.set_scenarios(std::move(scenarios), 0);
  scheduler_.commit();
  EXPECT_THAT(until(20), ElementsAre(7, 17));
  scheduler_.set_scenario(1, 20);
  EXPECT_THAT(until(30), ElementsAre(21, 25, 29));
  scheduler_.set_scenario(2, 30);
  scheduler_.restart(id, 32, 0);
  EXPECT_THAT(until(50), IsEmpty());
  scheduler_.set_scenario(0, 50);
  EXPECT_THAT(until(65), ElementsAre(52, 62));
}

TEST_F(OwnGridTest, BeginsAnewOnePeriodOfTheScenarioAfterThePointBefore) {
  const TaskId id = add(timer(10));
  std::vector<Scenario> scenarios(2);
  scenarios[0].timings[id].period = 4;
  scenarios[1].timings[id].period = 25;
  scheduler_.set_scenarios(std::move(scenarios), 0);
  scheduler_.commit();
  scheduler_.set_scenario(1, 0);
  scheduler_.restart(id, 10, 0);  // as after a reset at 0
  EXPECT_THAT(until(12), ElementsAre(4, 8, 12));
  scheduler_.restart(id, 16, 13);  // 10 has passed already
  EXPECT_THAT(until(16), ElementsAre(14));
  add(timer(50));  // a change of tasks does not affect it
  EXPECT_THAT(until(20), ElementsAre(18));
  scheduler_.set_scenario(2, 20);
  for (const Time reset : {30, 40, 50}) {
    EXPECT_THAT(until(reset), IsEmpty());
    scheduler_.restart(id, reset + 10, reset);
    add(timer(50));
  }
  EXPECT_THAT(until(80), ElementsAre(75));
  scheduler_.restart(id, never, 80);
  EXPECT_THAT(until(200), IsEmpty());
  scheduler_.set_scenario(0, 200);
  scheduler_.restart(id, 207, 200);
  EXPECT_THAT(until(220), ElementsAre(207, 217));
}

class OwnGridWithPhaseTest : public OwnGridTest {
 protected:
  /// Its own period is 10; scenario 1 gives it the phase 3, scenario 2 also half the period.
  TaskId add_two_scenarios() {
    const TaskId id = add(timer(10));
    std::vector<Scenario> scenarios(2);
    scenarios[0].timings[id].phase = 3;
    scenarios[1].timings[id].phase = 3;
    scenarios[1].timings[id].period = 5;
    scheduler_.set_scenarios(std::move(scenarios), 0);
    scheduler_.commit();
    return id;
  }
};

TEST_F(OwnGridWithPhaseTest, LiesOnTheCommonGridWhileTheScenarioHolds) {
  const TaskId id = add_two_scenarios();
  scheduler_.start_grid(0);
  scheduler_.commit();
  scheduler_.restart(id, 7, 0);
  EXPECT_THAT(until(20), ElementsAre(7, 17));
  scheduler_.set_scenario(1, 20);
  EXPECT_THAT(until(40), ElementsAre(23, 33));
  scheduler_.set_scenario(2, 40);
  EXPECT_THAT(until(50), ElementsAre(43, 48));
  scheduler_.set_scenario(0, 50);
  EXPECT_THAT(until(70), ElementsAre(57, 67));
  EXPECT_EQ(scheduler_.counters(id).released, 8u);
}

TEST_F(OwnGridWithPhaseTest, DoesNotBeginAnewButStopsAndGoesOn) {
  const TaskId id = add_two_scenarios();
  scheduler_.set_scenario(1, 0);
  scheduler_.restart(id, 6, 0);  // there is no grid yet
  EXPECT_EQ(scheduler_.next_event(), never);
  scheduler_.start_grid(0);
  scheduler_.commit();
  EXPECT_THAT(until(20), ElementsAre(3, 13));
  scheduler_.restart(id, 25, 20);  // without a reset
  EXPECT_THAT(until(30), ElementsAre(23));
  scheduler_.restart(id, never, 30);
  EXPECT_THAT(until(50), IsEmpty());
  add(timer(1'000));  // nor does a change of tasks start it
  EXPECT_THAT(until(54), IsEmpty());
  scheduler_.restart(id, 64, 54);
  EXPECT_THAT(until(80), ElementsAre(63, 73));
}

TEST_F(OwnGridWithPhaseTest, ResetItPassesOverWhatLiesWithinAPeriod) {
  const TaskId id = add_two_scenarios();
  scheduler_.start_grid(0);
  scheduler_.commit();
  reset(id, 0);
  scheduler_.set_scenario(1, 1);  // the point 3 is within a period of the reset
  EXPECT_THAT(until(20), ElementsAre(13));
  for (const Time now : {20, 29, 38}) {
    reset(id, now);
    EXPECT_THAT(until(now + 8), IsEmpty());
  }
  EXPECT_THAT(until(64), ElementsAre(53, 63));
  reset(id, 65);
  scheduler_.restart(id, 80, 70, 65);  // the same reset is reported again
  EXPECT_THAT(until(84), ElementsAre(83));
  // Also for a timer that was stopped.
  scheduler_.restart(id, never, 84);
  EXPECT_THAT(until(100), IsEmpty());
  reset(id, 101);
  EXPECT_THAT(until(115), ElementsAre(113));
  // By the scenario's period, and on the scheduler's grid.
  scheduler_.set_scenario(2, 115);
  reset(id, 116);
  EXPECT_THAT(until(126), ElementsAre(123));
  reset(id, 127);
  scheduler_.set_scenario(0, 128);
  EXPECT_THAT(until(150), ElementsAre(137, 147));
  EXPECT_EQ(scheduler_.counters(id).skipped, 0u);
  EXPECT_EQ(scheduler_.counters(id).released, 8u);
  EXPECT_EQ(last_index_[id], 7u);
}

TEST_F(OwnGridWithPhaseTest, BeginsWithTheGridAtTheEarliest) {
  const TaskId id = add_two_scenarios();
  scheduler_.set_scenario(1, 0);
  scheduler_.start_grid(100);
  scheduler_.commit();
  EXPECT_EQ(scheduler_.next_event(), never);
  scheduler_.restart(id, 40, 0);
  EXPECT_THAT(until(115), ElementsAre(103, 113));
  scheduler_.start_grid(200);
  scheduler_.commit();
  EXPECT_THAT(until(215), ElementsAre(203, 213));
}

TEST_F(OwnGridWithPhaseTest, OneThatStoppedStaysWithItsScenario) {
  const TaskId id = add_two_scenarios();
  scheduler_.start_grid(0);
  scheduler_.commit();
  scheduler_.restart(id, 7, 0);
  EXPECT_THAT(until(10), ElementsAre(7));
  scheduler_.restart(id, never, 0);
  scheduler_.set_scenario(1, 10);
  EXPECT_THAT(until(50), IsEmpty());
  scheduler_.restart(id, 61, 51);
  EXPECT_THAT(until(64), ElementsAre(53, 63));
}

// Whatever its own next release would be: long past, or late by its other period.
TEST_F(OwnGridWithPhaseTest, GoesOnAtTheNextPoint) {
  const TaskId id = add_two_scenarios();
  scheduler_.set_scenario(2, 0);
  scheduler_.start_grid(0);
  scheduler_.commit();
  for (const Time first : {11, 50, 1'000}) {
    scheduler_.restart(id, never, 50);
    scheduler_.restart(id, first, 50);
    EXPECT_EQ(scheduler_.next_event(), 53) << first;
  }
  EXPECT_THAT(until(60), ElementsAre(53, 58));
  EXPECT_EQ(scheduler_.counters(id).overruns, 0u);
  EXPECT_EQ(scheduler_.counters(id).missed, 0u);
}

TEST_F(OwnGridTest, AMissIsNoticedAtTheDeadlineThoughTheGridBeganAnew) {
  const TaskId id = add(timer(10));
  scheduler_.restart(id, 0, 0);
  scheduler_.advance(0);
  ASSERT_EQ(scheduler_.decide(0).kind, Decision::Kind::start);
  scheduler_.restart(id, 25, 0);
  EXPECT_EQ(scheduler_.next_event(), 10);
  scheduler_.advance(10);
  EXPECT_EQ(scheduler_.counters(id).missed, 1u);
}

TEST_F(OwnGridTest, IsOneOfATimer) {
  Task task = timer(10);
  task.kind = TaskKind::other;
  EXPECT_THROW(scheduler_.add_task(task), std::invalid_argument);
}

}  // namespace
}  // namespace takt::model
