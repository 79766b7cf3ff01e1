// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// Waiting for the jobs of removed tasks.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "takt_core/executor/changes.hpp"
#include "takt_core/os/clock.hpp"
#include "takt_core/os/event.hpp"
#include "testing/harness.hpp"
#include "testing/modes.hpp"

namespace takt::executor {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::ms;
using testing::Rig;
using testing::timer;
using testing::Watched;

/// A processor with a task whose job does not return, and one that has no jobs.
class DeparturesTest : public testing::ModeTest {
 protected:
  void SetUp() override {
    rig_ = std::make_unique<Rig>(options("fp"), rights());
    idle_ = rig_->add_event("n/idle", 2, [](const JobInfo &) {});
    stuck_ = rig_->add_event("n/stuck", 1, [this](const JobInfo &) {
      inside_.set(true);
      go_on_.wait();
      left_ = true;
    });
    rig_->start();
    rig_->processor().release(stuck_);
    ASSERT_TRUE(inside_.wait_for(true));
  }
  void TearDown() override {
    go_on_.post();
    EXPECT_EQ(rig_->stop(), nullptr);
  }
  Departures remove_both(const std::shared_ptr<void> & keep) {
    return rig_->processor().change([&](Changes & changes) {
      changes.remove_task(idle_);
      changes.remove_task(stuck_, keep);
    });
  }

  os::Event go_on_;
  Watched<bool> inside_;
  std::atomic<bool> left_ = false;
  std::unique_ptr<Rig> rig_;
  TaskId idle_ = TaskId::none;
  TaskId stuck_ = TaskId::none;
};
TAKT_FOR_ALL_MODES(DeparturesTest);

TEST_P(DeparturesTest, EachTaskMayBeWaitedForByItself) {
  const auto keep = std::make_shared<int>(0);
  Departures both = remove_both(keep);
  auto parts = both.by_kept();
  EXPECT_TRUE(both.wait_until(0));
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_TRUE(parts[nullptr].wait_until(0));
  EXPECT_FALSE(parts[keep.get()].wait_until(0));
  EXPECT_THAT(parts[keep.get()].unfinished(), ElementsAre("n/stuck"));
  go_on_.post();
  parts[keep.get()].wait();
  EXPECT_TRUE(left_);
}

TEST_P(DeparturesTest, WhoWaitsForATimeIsToldWhichHasNotReturned) {
  auto keep = std::make_shared<int>(0);
  const std::weak_ptr<int> kept = keep;
  Departures departures = remove_both(keep);
  keep.reset();
  EXPECT_FALSE(departures.wait_until(0));
  EXPECT_FALSE(departures.wait_until(os::now() + ms));
  EXPECT_THAT(departures.unfinished(), ElementsAre("n/stuck"));
  EXPECT_FALSE(kept.expired());
  go_on_.post();
  EXPECT_TRUE(departures.wait_until(os::now() + 60'000 * ms));
  EXPECT_TRUE(left_);
  EXPECT_TRUE(kept.expired());
  EXPECT_THAT(departures.unfinished(), IsEmpty());
  EXPECT_TRUE(departures.wait_until(0));
  departures.wait();
}

TEST_P(DeparturesTest, SeveralThreadsMayWaitEachAsLongAsItLikes) {
  Departures departures = remove_both(nullptr);
  Watched<int> waiting;
  std::atomic<int> before = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&, own = departures]() mutable {
      waiting.add(1);
      own.wait();
      before += left_ ? 0 : 1;
    });
  }
  ASSERT_TRUE(waiting.wait_for(3));
  // Threads that wait without a limit do not block others.
  EXPECT_FALSE(departures.wait_until(0));
  EXPECT_FALSE(departures.wait_until(os::now() + ms));
  EXPECT_THAT(departures.unfinished(), ElementsAre("n/stuck"));
  go_on_.post();
  for (std::thread & each : threads) each.join();
  EXPECT_EQ(before, 0);
  EXPECT_TRUE(departures.wait_until(0));
}

TEST_P(DeparturesTest, NobodyHasToWait) {
  const auto keep = std::make_shared<int>(0);
  EXPECT_FALSE(remove_both(keep).wait_until(0));
  EXPECT_EQ(keep.use_count(), 2);
  go_on_.post();
  rig_->stop();  // destroys what no thread waited for
  EXPECT_EQ(keep.use_count(), 1);
}

TEST_P(DeparturesTest, OthersComeAndGoWhileOneWaits) {
  std::thread waits([this] { remove_both(nullptr).wait(); });
  for (int i = 0; i < 10; ++i) {
    Watched<int> runs;
    model::Task task = timer("n/other" + std::to_string(i));
    task.priority = 10;
    const auto other = rig_->add(task, [&](const JobInfo &) { runs.add(1); });
    if (preempts()) {
      EXPECT_TRUE(runs.wait_for_at_least(1));
    }
    rig_->processor().set_scenarios({{}, {}});
    rig_->processor().request_scenario(2);
    rig_->processor().remove_task(other);
  }
  rig_->processor().stop();
  EXPECT_TRUE(rig_->processor().spinning());
  EXPECT_FALSE(left_);
  go_on_.post();
  waits.join();
  EXPECT_EQ(rig_->join(), nullptr);
}

}  // namespace
}  // namespace takt::executor
