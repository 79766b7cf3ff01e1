// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt/timer.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "takt/exceptions.hpp"
#include "takt/takt.hpp"
#include "takt_core/os/clock.hpp"
#include "takt_core/tasks/testing/error_of.hpp"
#include "testing/background.hpp"
#include "testing/seen.hpp"

namespace takt {
namespace {

using namespace std::chrono_literals;
using testing::Seen;

template <typename Executor>
class TimerTest : public ::testing::Test {
 protected:
  std::shared_ptr<Context> context_ = testing::make_context();
  std::shared_ptr<Node> node_ = std::make_shared<Node>("node", NodeOptions{.context = context_});
  testing::Background<Executor> background_{context_};
};
TYPED_TEST_SUITE(TimerTest, testing::Executors);

TYPED_TEST(TimerTest, ReleasesLieOnTheGrid) {
  constexpr Duration period = 2ms;
  constexpr Duration phase = 500us;
  Seen<JobInfo> seen;
  const auto timer = this->node_->create_timer("a", period, {.phase = phase},
                                               [&seen](const JobInfo & job) { seen.add(job); });
  this->background_.add(this->node_);
  const model::Time t0 = os::now() + 5'000'000;
  this->background_.executor().set_start(t0);
  this->background_.start();
  const auto jobs = seen.wait_for(50);
  ASSERT_GE(jobs.size(), 50u);
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const JobInfo & job = jobs[i];
    EXPECT_EQ(job.release,
              t0 + phase.count() + static_cast<model::Time>(job.index) * period.count());
    EXPECT_EQ(job.deadline, job.release + period.count());
    EXPECT_GE(job.start, job.release);
    if (i > 0) {
      EXPECT_GT(job.index, jobs[i - 1].index);
    }
  }
}

TYPED_TEST(TimerTest, MayHaveNoNameAsInRclcpp) {
  Seen<int> seen;
  const auto group = this->node_->create_callback_group(CallbackGroupType::mutually_exclusive);
  const auto wall = this->node_->create_wall_timer(1ms, [&seen] { seen.add(1); }, group);
  const auto ros = this->node_->create_timer(1ms, [&seen] { seen.add(2); }, group);
  EXPECT_EQ(wall->id(), "node/timer");
  EXPECT_EQ(ros->id(), "node/timer#2");
  EXPECT_EQ(wall->group(), group);
  EXPECT_EQ(ros->group(), group);
  this->background_.add(this->node_);
  this->background_.start();
  EXPECT_TRUE(seen.wait_for_value(1));
  EXPECT_TRUE(seen.wait_for_value(2));
}

TYPED_TEST(TimerTest, KeepsTheGridAlsoWhenAddedLater) {
  Seen<JobInfo> seen;
  this->background_.add(this->node_);
  const model::Time t0 = os::now() - 1'000'000'000;
  this->background_.executor().set_start(t0);
  this->background_.start();
  const auto timer =
      this->node_->create_timer("a", 3ms, [&seen](const JobInfo & job) { seen.add(job); });
  const auto job = seen.wait_for(1).at(0);
  EXPECT_EQ(job.release, t0 + static_cast<model::Time>(job.index) * 3'000'000);
  EXPECT_GT(job.index, 300u);
}

TYPED_TEST(TimerTest, CanceledItRestsUntilReset) {
  constexpr Duration period = 20ms;
  Seen<JobInfo> seen;
  Seen<int> others;
  std::shared_ptr<Timer> timer;
  timer = this->node_->create_timer("a", period, [&](const JobInfo & job) {
    timer->cancel();
    seen.add(job);
  });
  const auto other = this->node_->create_timer("b", 1ms, [&others] { others.add(1); });
  this->background_.add(this->node_);
  this->background_.start();
  EXPECT_EQ(seen.wait_for(1).size(), 1u);
  EXPECT_GE(others.wait_for(others.size() + 30).size(), 30u);
  EXPECT_TRUE(timer->is_canceled());
  EXPECT_EQ(seen.size(), 1u);
  // Each reset comes at another point between two releases.
  for (std::size_t round = 1; round <= 4; ++round) {
    others.wait_for(others.size() + 7);
    const model::Time before = os::now();
    timer->reset();
    const auto jobs = seen.wait_for(round + 1);
    ASSERT_EQ(jobs.size(), round + 1);
    EXPECT_GE(jobs.back().release, before + period.count());
  }
}

/// An executor that releases a job as soon as a callback is a task again: its grid has a point just then.
class ReleasesAtOnce : public tasks::Listener {
 public:
  void added(const std::shared_ptr<tasks::Callback> & /*callback*/) override {}
  void removed(tasks::Callback & /*callback*/) override {}
  void changed(const std::shared_ptr<tasks::Callback> & callback) override {
    if (callback->is_task()) callback->execute({.release = os::now()});
  }
};

TEST(TimerGridTest, APointBeforeACanceledTimerIsRestartedReleasesNothing) {
  const auto node = std::make_shared<Node>("node", NodeOptions{.context = testing::make_context()});
  int calls = 0;
  const auto timer = node->create_timer("a", 1h, [&calls] { ++calls; });
  const auto executor = std::make_shared<ReleasesAtOnce>();
  timer->node().set_listener(executor);
  timer->cancel();
  timer->reset();
  EXPECT_EQ(calls, 0);
  static_cast<tasks::Callback &>(*timer).execute(
      {.release = os::now() + std::chrono::nanoseconds(1h).count()});
  EXPECT_EQ(calls, 1);
  timer->node().set_listener(nullptr);
}

TYPED_TEST(TimerTest, WithoutANameTheFirstCallComesAPeriodAfterItWasMadeOrReset) {
  constexpr model::Duration period = 100'000'000;
  Seen<JobInfo> seen;
  std::shared_ptr<Timer> timer;
  const model::Time before = os::now();
  timer = this->node_->create_wall_timer(Duration(period), [&](const JobInfo & job) {
    timer->cancel();
    seen.add(job);
  });
  const model::Time after = os::now();
  this->background_.add(this->node_);
  this->background_.start();
  ASSERT_EQ(seen.wait_for(1).size(), 1u);
  EXPECT_GE(seen.wait_for(1)[0].release, before + period);
  EXPECT_LE(seen.wait_for(1)[0].release, after + period);
  const model::Time before_reset = os::now();
  timer->reset();
  const model::Time after_reset = os::now();
  ASSERT_EQ(seen.wait_for(2).size(), 2u);
  EXPECT_GE(seen.wait_for(2)[1].release, before_reset + period);
  EXPECT_LE(seen.wait_for(2)[1].release, after_reset + period);
}

TEST(TimerGridTest, WhatWentByBeforeSpinningIsOneRelease) {
  const auto context = testing::make_context();
  const auto node = std::make_shared<Node>("node", NodeOptions{.context = context});
  testing::Background<SchedulingExecutor> background(context);
  Seen<JobInfo> seen;
  const model::Time before = os::now();
  const auto timer = node->create_wall_timer(1ms, [&seen](const JobInfo & job) { seen.add(job); });
  background.add(node);
  while (os::now() < before + 20'000'000) continue;
  background.start();
  ASSERT_GE(seen.wait_for(1).size(), 1u);
  EXPECT_GT(seen.wait_for(1)[0].release, before + 19'000'000);
}

TYPED_TEST(TimerTest, ResetMoreOftenThanItsPeriodItIsNotCalled) {
  Seen<int> seen;
  Seen<int> resets;
  std::vector<std::shared_ptr<Timer>> watchdogs;
  // Created first: if the host is slow and all timers wait, the one created first is called first.
  const auto feeder = this->node_->create_timer("feeder", 1ms, [&] {
    for (const auto & watchdog : watchdogs) watchdog->reset();
    resets.add(1);
  });
  watchdogs.push_back(
      this->node_->create_timer("named", 10s, {.phase = 20ms}, [&seen] { seen.add(1); }));
  watchdogs.push_back(this->node_->create_wall_timer(10s, [&seen] { seen.add(2); }));
  this->background_.add(this->node_);
  this->background_.start();
  EXPECT_GE(resets.wait_for(50).size(), 50u);
  EXPECT_EQ(seen.size(), 0u);
}

TYPED_TEST(TimerTest, ResetAsItRunsTheNextCallComesAPeriodLater) {
  constexpr model::Duration period = 50'000'000;
  Seen<JobInfo> named_seen;
  Seen<JobInfo> seen;
  std::shared_ptr<Timer> named;
  std::shared_ptr<Timer> unnamed;
  Seen<model::Time> resets;
  // All timers are in one group, so no job starts between the checks and the resets.
  const auto feeder = this->node_->create_timer("feeder", 1ms, [&] {
    if (resets.size() > 0 || seen.size() == 0 || named_seen.size() == 0) return;
    if (os::now() < seen.wait_for(1).back().release + period / 2) return;
    resets.add(os::now());
    named->reset();
    unnamed->reset();
  });
  named = this->node_->create_timer("named", Duration(period), {.phase = 20ms},
                                    [&](const JobInfo & job) { named_seen.add(job); });
  unnamed =
      this->node_->create_wall_timer(Duration(period), [&](const JobInfo & job) { seen.add(job); });
  this->background_.add(this->node_);
  this->background_.start();
  ASSERT_EQ(resets.wait_for(1).size(), 1u);
  const model::Time reset = resets.wait_for(1)[0];
  for (Seen<JobInfo> * calls : {&seen, &named_seen}) {
    // Jobs that ran before the reset also started before it.
    const auto after = [&](const JobInfo & job) { return job.start >= reset; };
    std::vector<JobInfo> jobs;
    for (std::size_t count = 1; std::none_of(jobs.begin(), jobs.end(), after); ++count) {
      jobs = calls->wait_for(count);
      ASSERT_GE(jobs.size(), count);
    }
    EXPECT_GE(std::find_if(jobs.begin(), jobs.end(), after)->release, reset + period);
  }
}

TYPED_TEST(TimerTest, WithoutANameOnSimulatedTimeItBeginsWhenItIsMade) {
  Seen<std::int64_t> seen;
  const auto clock = this->node_->get_clock();
  constexpr std::int64_t second = 1'000'000'000;
  clock->activate_ros_time();
  clock->set_ros_time(5 * second);
  const auto timer = this->node_->create_timer(1s, [&] { seen.add(clock->now_ns()); });
  clock->set_ros_time(5 * second + second / 2);
  this->background_.add(this->node_);
  this->background_.start();
  clock->set_ros_time(6 * second);
  EXPECT_EQ(seen.wait_for(1).size(), 1u);
}

TYPED_TEST(TimerTest, OnRosTimeItFollowsTheClock) {
  Seen<std::int64_t> seen;
  const auto clock = this->node_->get_clock();
  // The next step of the clock may come before the job that reported the previous one has ended.
  const auto timer = this->node_->create_timer("a", 100ms, {.queue = 1, .clock = ClockType::ros},
                                               [&] { seen.add(clock->now_ns()); });
  clock->activate_ros_time();
  constexpr std::int64_t second = 1'000'000'000;
  clock->set_ros_time(5 * second);
  this->background_.add(this->node_);
  this->background_.start();
  std::size_t count = 0;
  for (std::int64_t step = 1; step <= 5; ++step) {
    clock->set_ros_time(5 * second + step * second / 10);
    const auto times = seen.wait_for(++count);
    ASSERT_EQ(times.size(), count);
    EXPECT_EQ(times.back(), 5 * second + step * second / 10);
  }
  // Half a period releases nothing.
  clock->set_ros_time(5 * second + 55 * second / 100);
  clock->set_ros_time(5 * second + 60 * second / 100);
  EXPECT_EQ(seen.wait_for(count + 1).back(), 5 * second + 60 * second / 100);
}

TYPED_TEST(TimerTest, OnRosTimeThatIsNotSimulatedItIsPeriodic) {
  Seen<int> seen;
  const auto timer =
      this->node_->create_timer("a", 1ms, {.clock = ClockType::ros}, [&seen] { seen.add(1); });
  this->background_.add(this->node_);
  this->background_.start();
  EXPECT_GE(seen.wait_for(10).size(), 10u);
}

TEST(TimerOptionsTest, WhatMakesNoSenseIsRefusedByName) {
  const auto context = testing::make_context();
  Node node("node", {.context = context});
  const auto refuses = [&node](const char * what, Duration period, const TimerOptions & options) {
    try {
      node.create_timer("bad", period, options, [] {});
      ADD_FAILURE() << what;
    } catch (const Error & error) {
      EXPECT_NE(std::string(error.what()).find("'bad' of node 'node'"), std::string::npos);
      EXPECT_NE(std::string(error.what()).find(what), std::string::npos) << error.what();
    }
  };
  refuses("period", 0ms, {});
  refuses("priority", 1ms, {.priority = 99});
  refuses("priority", 1ms, {.priority = 0});
  refuses("phase", 1ms, {.phase = -1ms});
  refuses("deadline", 1ms, {.deadline = -1ms});
  refuses("queue", 1ms, {.deadline = 2ms});
  refuses("own_grid", 1ms, {.phase = 1us, .own_grid = true});
  refuses("steady or ros", 1ms, {.clock = ClockType::system});
  const auto fine = node.create_timer("bad", 1ms, {.deadline = 2ms, .queue = 1}, [] {});
  EXPECT_THROW(node.create_timer("bad", 1ms, [] {}), NameError);
}

TEST(TimerOptionsTest, APeriodOfZeroIsRefusedWithWhatHelpsAndTheNode) {
  const auto context = testing::make_context();
  Node node("node", {.context = context});
  const auto error = testing::error_of([&] { node.create_wall_timer(0ns, [] {}); });
  EXPECT_THAT(error, ::testing::HasSubstr("of node 'node'"));
  EXPECT_THAT(error,
              ::testing::HasSubstr("give the longest period that is acceptable, such as 1 ms"));
}

TEST(TimerOptionsTest, WallTimersNameThemselves) {
  const auto context = testing::make_context();
  Node node("node", {.context = context});
  const auto a = node.create_wall_timer(1ms, [] {});
  const auto b = node.create_wall_timer(1ms, [] {});
  EXPECT_EQ(a->id(), "node/timer");
  EXPECT_EQ(b->id(), "node/timer#2");
}

}  // namespace
}  // namespace takt
