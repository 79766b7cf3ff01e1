// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// Timers that are reset as a scenario has them.
#include <gtest/gtest.h>

#include <atomic>
#include <memory>

#include "takt/takt.hpp"
#include "takt_core/os/clock.hpp"
#include "testing/background.hpp"
#include "testing/seen.hpp"

namespace takt {
namespace {

using namespace std::chrono_literals;
using testing::Seen;

/// A timer that another timer of its group resets every 7 ms, and so never during a job of it.
class TimerResetTest : public ::testing::Test {
 protected:
  static constexpr Duration period = 20ms;

  TimerResetTest() {
    feeder_ = node_->create_timer("feeder", 7ms, [this] {
      reset_at_ = os::now();
      if (canceled_first_) watchdog_->cancel();
      watchdog_->reset();
      resets_.add(1);
    });
  }

  void run(const TaskTiming & timing) {
    SchedulingScenario scenario("s");
    scenario.set_task(watchdog_->id(), timing);
    const auto strategy = std::make_shared<SchedulingStrategy>();
    strategy->add_scenario(scenario);
    strategy->set_default_scenario("s");
    background_.add(node_);
    background_.executor().set_scheduling_strategy(strategy);
    background_.start();
  }
  /// If the host stalls the timer may be called, but not within one period of a reset.
  void called(const JobInfo & job) {
    if (reset_at_ > 0) {
      EXPECT_GE(job.release, reset_at_ + period.count());
    }
    calls_.add(1);
  }

  std::shared_ptr<Context> context_ = testing::make_context();
  std::shared_ptr<Node> node_ = std::make_shared<Node>("node", NodeOptions{.context = context_});
  Seen<int> resets_;
  Seen<int> calls_;
  std::atomic<model::Time> reset_at_ = 0;
  bool canceled_first_ = false;
  std::shared_ptr<Timer> watchdog_;
  std::shared_ptr<Timer> feeder_;
  testing::Background<SchedulingExecutor> background_{context_};
};

TEST_F(TimerResetTest, WithoutANameByAScenarioThatGivesItAPhase) {
  watchdog_ = node_->create_wall_timer(period, [this](const JobInfo & job) { called(job); });
  run({.phase = 3ms});
  EXPECT_GE(resets_.wait_for(30).size(), 30u);
}

TEST_F(TimerResetTest, WithoutANameByThePeriodOfAScenarioThatGivesItAPhase) {
  watchdog_ = node_->create_wall_timer(1ms, [this](const JobInfo & job) { called(job); });
  run({.period = period, .phase = 3ms});
  EXPECT_GE(resets_.wait_for(30).size(), 30u);
}

TEST_F(TimerResetTest, WithANameByThePeriodOfTheScenario) {
  watchdog_ = node_->create_timer("dog", 1ms, [this](const JobInfo & job) { called(job); });
  run({.period = period});
  EXPECT_GE(resets_.wait_for(30).size(), 30u);
}

TEST_F(TimerResetTest, CanceledBefore) {
  canceled_first_ = true;
  watchdog_ = node_->create_wall_timer(1ms, [this](const JobInfo & job) { called(job); });
  run({.period = period, .phase = 3ms});
  EXPECT_GE(resets_.wait_for(30).size(), 30u);
}

TEST_F(TimerResetTest, ItRestsNoLongerThanThePeriodOfTheScenario) {
  feeder_->cancel();
  watchdog_ = node_->create_timer("dog", 1h, [this](const JobInfo & job) { called(job); });
  run({.period = period});
  EXPECT_GE(calls_.wait_for(1).size(), 1u);
  watchdog_->reset();
  const std::size_t next = calls_.size() + 2;
  EXPECT_GE(calls_.wait_for(next).size(), next);
}

}  // namespace
}  // namespace takt
