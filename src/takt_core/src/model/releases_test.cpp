// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// How the scheduler makes releases.
#include <gtest/gtest.h>

#include "testing/virtual_run.hpp"

namespace takt::model::testing {
namespace {

/// The releases that the scheduler makes, as `A0@5` or, skipped, `A0@5!`; several consecutive
/// skipped ones, 10 apart, as `A0@5!*3+10`.
class ReleasesTest : public ::testing::Test {
 protected:
  LocalScheduler & make(const std::vector<Spec> & specs) {
    scheduler_ =
        std::make_unique<LocalScheduler>(scheduler_of(task_set(specs, 1), make_policy("rm")));
    scheduler_->set_release_observer(
        [](void * self, const ReleaseNotice & notice) {
          static_cast<ReleasesTest *>(self)->note(notice);
        },
        this);
    return *scheduler_;
  }

  void note(const ReleaseNotice & notice) {
    const Job & job = notice.job;
    seen_ += seen_.empty() ? "" : " ";
    seen_ += static_cast<char>('A' + job.task) + std::to_string(job.index) + "@" +
             std::to_string(job.release) + (notice.what == Release::skipped ? "!" : "");
    if (notice.count > 1) {
      seen_ += "*" + std::to_string(notice.count) + "+" + std::to_string(notice.apart);
    }
  }

  std::string seen() { return std::exchange(seen_, ""); }

  void run_one(LocalScheduler & scheduler, Time from, Time to) {
    const Decision decision = scheduler.decide(from);
    ASSERT_EQ(decision.kind, Decision::Kind::start);
    scheduler.finish(decision.job->level, to);
  }

 private:
  std::unique_ptr<LocalScheduler> scheduler_;
  std::string seen_;
};

TEST_F(ReleasesTest, LieOnTheGridHoweverLateTheyAreMade) {
  LocalScheduler & scheduler = make({{.period = 10, .phase = 3, .queue = 9}});
  EXPECT_EQ(scheduler.next_event(), 3);
  scheduler.advance(2);
  EXPECT_EQ(seen(), "");
  scheduler.advance(9);
  EXPECT_EQ(seen(), "A0@3");
  EXPECT_EQ(scheduler.next_event(), 13);
  scheduler.advance(24);
  EXPECT_EQ(seen(), "A1@13 A2@23");
  EXPECT_EQ(scheduler.pending(), 3u);
}

TEST_F(ReleasesTest, OfOthersThanClientsThereAreNoneWhereItIsQuiescent) {
  LocalScheduler & scheduler = make({{.period = 10, .queue = 3},
                                     {.queue = 2, .kind = TaskKind::subscription},
                                     {.queue = 2, .kind = TaskKind::client}});
  scheduler.advance(0);
  const Decision first = scheduler.decide(0);
  ASSERT_EQ(first.job->task, 0u);
  scheduler.advance(10);
  EXPECT_EQ(scheduler.release(1, 11, 11), Release::accepted);
  EXPECT_EQ(scheduler.release(2, 11, 11), Release::accepted);
  EXPECT_EQ(seen(), "A0@0 A1@10 B0@11 C0@11");
  scheduler.set_quiescent(true);
  EXPECT_EQ(scheduler.pending(), 1u);
  EXPECT_EQ(scheduler.counters(0).released, 1u);
  EXPECT_EQ(scheduler.counters(1).released, 0u);
  scheduler.advance(100);
  EXPECT_EQ(scheduler.next_event(), never);
  EXPECT_EQ(scheduler.release(1, 101, 101), Release::skipped);
  EXPECT_EQ(scheduler.release(2, 101, 101), Release::accepted);
  EXPECT_EQ(seen(), "C1@101");
  scheduler.finish(first.job->level, 101);
  EXPECT_EQ(scheduler.decide(101).job->task, 2u);
  scheduler.finish(scheduler.running(), 102);
  EXPECT_EQ(scheduler.decide(102).job->task, 2u);
  scheduler.finish(scheduler.running(), 103);
  EXPECT_EQ(scheduler.decide(103).kind, Decision::Kind::nothing);
  EXPECT_EQ(scheduler.counters(0).skipped, 0u);
}

TEST_F(ReleasesTest, OverrunsAreTold) {
  LocalScheduler & scheduler = make({{.period = 10, .queue = 1}, {.period = 10}});
  Overrun overrun;
  scheduler.advance(10);
  EXPECT_FALSE(scheduler.next_overrun(overrun));  // overruns are not stored yet
  scheduler.finish(scheduler.decide(10).job->level, 11);
  scheduler.finish(scheduler.decide(11).job->level, 12);
  scheduler.finish(scheduler.decide(12).job->level, 13);
  scheduler.store_overruns(true);
  scheduler.advance(20);
  EXPECT_FALSE(scheduler.next_overrun(overrun));  // A2 was released with no job unfinished
  scheduler.advance(59);
  std::string told;
  while (scheduler.next_overrun(overrun)) {
    told += static_cast<char>('A' + overrun.job.task) + std::to_string(overrun.job.index) + "@" +
            std::to_string(overrun.job.release) + "*" + std::to_string(overrun.count) +
            (overrun.skipped ? "! " : " ");
  }
  EXPECT_EQ(told, "A3@30*1 B3@30*1! A4@40*1! B4@40*1! A5@50*1! B5@50*1! ");
  EXPECT_EQ(scheduler.counters(0).overruns, 4u);
}

TEST_F(ReleasesTest, GoInOrderOfTime) {
  LocalScheduler & scheduler =
      make({{.period = 10, .queue = 9}, {.period = 4, .phase = 1, .queue = 9}});
  scheduler.advance(11);
  EXPECT_EQ(seen(), "A0@0 B0@1 B1@5 B2@9 A1@10");
}

TEST_F(ReleasesTest, OfATimerFarBehindAreAllAccountedFor) {
  LocalScheduler & scheduler = make({{.period = 10, .queue = 1}, {.period = 10}});
  scheduler.advance(45);
  EXPECT_EQ(seen(), "A0@0 B0@0 A1@10 B1@10! A2@20! B2@20! A3@30!*2+10 B3@30!*2+10");
  EXPECT_EQ(scheduler.next_event(), 50);
  EXPECT_EQ(scheduler.counters(0).released, 5u);
  EXPECT_EQ(scheduler.counters(0).skipped, 3u);
  EXPECT_EQ(scheduler.counters(1).skipped, 4u);
  EXPECT_EQ(scheduler.counters(1).overruns, 4u);
  EXPECT_EQ(scheduler.counters(0).overruns, 4u);
}

TEST_F(ReleasesTest, OfHoursOfStallCostNoTime) {
  LocalScheduler & scheduler = make({{.period = 1000, .queue = 2}, {.period = 1000}});
  scheduler.advance(Time{1} << 60);
  EXPECT_EQ(seen(),
            "A0@0 B0@0 A1@1000 B1@1000! A2@2000 B2@2000! A3@3000! B3@3000! "
            "A4@4000!*1152921504606843+1000 B4@4000!*1152921504606843+1000");
  EXPECT_EQ(scheduler.counters(0).released, ((std::uint64_t{1} << 60) / 1000) + 1);
  EXPECT_EQ(scheduler.counters(0).skipped, scheduler.counters(0).released - 3);
  EXPECT_EQ(scheduler.counters(1).missed, 1u);
  EXPECT_EQ(scheduler.counters(0).missed, 3u);
}

TEST_F(ReleasesTest, WithoutAGridThereAreNone) {
  LocalScheduler scheduler(make_policy("rm"));
  scheduler.add_task(task_of({.period = 10}));
  scheduler.commit();
  scheduler.advance(100);
  EXPECT_EQ(scheduler.pending(), 0u);
  EXPECT_EQ(scheduler.next_event(), never);
  EXPECT_EQ(scheduler.grid(), std::nullopt);
}

TEST_F(ReleasesTest, BeforeAFinishFindTheJobUnfinished) {
  LocalScheduler & scheduler = make({{.period = 10}});
  scheduler.advance(0);
  ASSERT_EQ(scheduler.decide(0).kind, Decision::Kind::start);
  EXPECT_TRUE(scheduler.finish(1, 11));  // advance(10) was not called
  EXPECT_EQ(seen(), "A0@0 A1@10!");
}

TEST_F(ReleasesTest, AtTheInstantOfAFinishFindItFinished) {
  LocalScheduler & scheduler = make({{.period = 10}});
  scheduler.advance(0);
  ASSERT_EQ(scheduler.decide(0).kind, Decision::Kind::start);
  EXPECT_FALSE(scheduler.finish(1, 10));
  scheduler.advance(10);
  EXPECT_EQ(seen(), "A0@0 A1@10");
}

TEST_F(ReleasesTest, ASkippedOneUsesUpItsNumber) {
  LocalScheduler & scheduler = make({{.period = 10}});
  scheduler.advance(12);
  run_one(scheduler, 12, 13);
  scheduler.advance(20);
  EXPECT_EQ(scheduler.decide(20).job->index, 2u);
}

// ---- tasks that are not timers

constexpr TaskKind subscription = TaskKind::subscription;

TEST_F(ReleasesTest, AreAcceptedOrSkipped) {
  LocalScheduler & scheduler = make({{.queue = 1, .kind = subscription}});
  EXPECT_EQ(scheduler.release(0, 5, 6), Release::accepted);
  EXPECT_EQ(scheduler.release(0, 6, 6), Release::accepted);
  EXPECT_EQ(scheduler.release(0, 6, 6), Release::skipped);
  EXPECT_EQ(seen(), "A0@5 A1@6 A2@6!");
}

TEST_F(ReleasesTest, BeforeTheIntervalHasPassedAreDelayed) {
  LocalScheduler & scheduler = make({{.period = 10, .queue = 1, .kind = subscription}});
  EXPECT_EQ(scheduler.release(0, 5, 5), Release::accepted);
  EXPECT_EQ(scheduler.release(0, 6, 6), Release::delayed);
  EXPECT_EQ(scheduler.release(0, 7, 7), Release::delayed);
  EXPECT_EQ(scheduler.release(0, 8, 8), Release::skipped);
  EXPECT_EQ(seen(), "A0@5 A1@8!");
  EXPECT_EQ(scheduler.pending(), 1u);
  run_one(scheduler, 8, 9);
  EXPECT_EQ(scheduler.next_event(), 15);
  scheduler.advance(15);
  EXPECT_EQ(seen(), "A2@15");
  EXPECT_EQ(scheduler.release(0, 20, 20), Release::delayed);
  scheduler.advance(25);
  EXPECT_EQ(seen(), "A3@25");
  scheduler.advance(100);
  EXPECT_EQ(seen(), "A4@35!");
  EXPECT_EQ(scheduler.next_event(), never);
}

TEST_F(ReleasesTest, DelayedOnesGoBeforeALaterArrival) {
  LocalScheduler & scheduler = make({{.period = 10, .queue = 3, .kind = subscription}});
  scheduler.release(0, 0, 0);
  scheduler.release(0, 1, 1);
  EXPECT_EQ(scheduler.release(0, 12, 12), Release::delayed);  // 10 was due before
  EXPECT_EQ(scheduler.release(0, 40, 40), Release::accepted);
  EXPECT_EQ(seen(), "A0@0 A1@10 A2@20 A3@40");
}

TEST_F(ReleasesTest, ASkippedArrivalDoesNotBeginAnInterval) {
  LocalScheduler & scheduler = make({{.period = 10, .kind = subscription}});
  scheduler.release(0, 0, 0);
  EXPECT_EQ(scheduler.release(0, 15, 15), Release::skipped);
  run_one(scheduler, 15, 16);
  EXPECT_EQ(scheduler.release(0, 17, 17), Release::accepted);
}

TEST_F(ReleasesTest, BringTimersUpToDateFirst) {
  LocalScheduler & scheduler = make({{.period = 10}, {.kind = subscription}});
  scheduler.release(1, 5, 12);
  EXPECT_EQ(seen(), "A0@0 B0@5");
}

TEST_F(ReleasesTest, OfTimersOrUnknownTasksAreRefused) {
  LocalScheduler & scheduler = make({{.period = 10}});
  EXPECT_EQ(scheduler.release(0, 5, 5), Release::skipped);
  EXPECT_EQ(scheduler.release(77, 5, 5), Release::skipped);
  EXPECT_EQ(seen(), "");
  EXPECT_EQ(scheduler.counters(0).released, 0u);
}

}  // namespace
}  // namespace takt::model::testing
