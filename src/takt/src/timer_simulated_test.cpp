// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// Timers on simulated time, which the tests set.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <memory>
#include <type_traits>

#include "takt/takt.hpp"
#include "testing/background.hpp"
#include "testing/seen.hpp"

namespace takt {
namespace {

using namespace std::chrono_literals;
using testing::Seen;

struct OnItsOwnGrid {
  static TimerOptions options() { return {.own_grid = true}; }
};
struct OnTheCommonGrid {
  static TimerOptions options() { return {}; }
};
/// A timer with a period of 1 s of simulated time, on a grid of its own or on the executor's.
template <typename Grid>
class SimulatedTimerTest : public ::testing::Test {
 protected:
  static constexpr std::int64_t second = 1'000'000'000;

  void make(std::int64_t now, Duration phase = Duration::zero()) {
    clock_->activate_ros_time();
    if (now > 0) clock_->set_ros_time(now);
    TimerOptions options = Grid::options();
    options.phase = phase;
    // The next step of the clock may come before the job that reported the previous one has ended.
    options.queue = 1;
    options.clock = ClockType::ros;
    timer_ = node_->create_timer("a", 1s, options, [this] { seen_.add(clock_->now_ns()); });
  }
  void begin(std::int64_t now, Duration phase = Duration::zero()) {
    make(now, phase);
    background_.add(node_);
    background_.start();
  }
  /// Sets the clock, and checks how often the timer has been called in total.
  void go_to(double seconds, std::size_t calls) {
    clock_->set_ros_time(std::llround(seconds * 1e9));
    EXPECT_EQ(seen_.wait_for(calls).size(), calls) << "at " << seconds << " s";
  }

  std::shared_ptr<Context> context_ = testing::make_context();
  std::shared_ptr<Node> node_ = std::make_shared<Node>("node", NodeOptions{.context = context_});
  const Clock::SharedPtr clock_ = node_->get_clock();
  std::shared_ptr<Timer> timer_;
  Seen<std::int64_t> seen_;
  testing::Background<SchedulingExecutor> background_{context_};
};
using Grids = ::testing::Types<OnItsOwnGrid, OnTheCommonGrid>;
TYPED_TEST_SUITE(SimulatedTimerTest, Grids);

TYPED_TEST(SimulatedTimerTest, TheFirstTickIsNoPeriod) {
  this->begin(0);
  this->go_to(1000, 0);
  this->go_to(1000.5, 0);
  this->go_to(1001, 1);
}

TYPED_TEST(SimulatedTimerTest, ASmallStepBackIsNoJump) {
  this->begin(5 * this->second);
  this->go_to(5.5, 0);
  this->go_to(5.499, 0);
  this->go_to(6, 1);
  this->go_to(5.999, 1);
  this->go_to(6.5, 1);
  this->go_to(6.499, 1);
  this->go_to(7, 2);
}

using SimulatedPhaseTest = SimulatedTimerTest<OnTheCommonGrid>;

TEST_F(SimulatedPhaseTest, AStepBackIsFollowedByAPeriodNotByThePhase) {
  begin(5 * second, 1ms);
  go_to(5.0005, 0);
  go_to(5.0004, 0);
  go_to(5.001, 1);
  go_to(5.0005, 1);  // back to just before the last release
  go_to(5.002, 1);
  go_to(5.9, 1);
  go_to(6.001, 2);
  go_to(6.5, 2);
  go_to(6.499, 2);
  go_to(7.001, 3);
  go_to(2, 3);
  go_to(2.9, 3);
  go_to(3, 4);
}

TYPED_TEST(SimulatedTimerTest, AfterAJumpBackItGoesOnAPeriodLater) {
  this->begin(20 * this->second);
  this->go_to(21, 1);
  this->go_to(11, 1);
  this->go_to(11.9, 1);
  this->go_to(12, 2);
  this->go_to(13, 3);
}

TYPED_TEST(SimulatedTimerTest, ResetItSkipsWhatLiesWithinAPeriod) {
  this->begin(5 * this->second);
  this->go_to(5.9, 0);
  this->timer_->reset();
  this->go_to(6.8, 0);
  this->timer_->reset();
  this->go_to(7.7, 0);
  this->go_to(8, 1);
}

TYPED_TEST(SimulatedTimerTest, ItsOwnGridBeginsWhenItIsMadeTheCommonOneWithTheExecutor) {
  constexpr bool own = std::is_same_v<TypeParam, OnItsOwnGrid>;
  this->make(5 * this->second);
  this->clock_->set_ros_time(5 * this->second + this->second / 2);
  this->background_.add(this->node_);
  this->background_.start();
  this->go_to(5.9, 0);
  this->go_to(6, own ? 1 : 0);
  this->go_to(6.4, own ? 1 : 0);
  this->go_to(6.5, 1);
}

TYPED_TEST(SimulatedTimerTest, AwayFromItsExecutorItKeepsItsGrid) {
  constexpr bool own = std::is_same_v<TypeParam, OnItsOwnGrid>;
  this->begin(5 * this->second);
  this->go_to(6, 1);
  this->background_.executor().remove_node(this->node_);
  this->go_to(6.2, 1);
  this->background_.add(this->node_);
  this->go_to(6.9, 1);
  this->go_to(7, 2);
  this->background_.executor().remove_node(this->node_);
  this->go_to(9.5, 2);
  this->background_.add(this->node_);
  // With a grid of its own, the releases that were due count as one, as in rclcpp.
  std::size_t calls = own ? 3 : 2;
  EXPECT_EQ(this->seen_.wait_for(calls).size(), calls);
  this->go_to(9.9, calls);
  this->go_to(10, ++calls);
  // A clock that goes back while the node has no executor counts as a jump back.
  this->background_.executor().remove_node(this->node_);
  this->go_to(3, calls);
  this->background_.add(this->node_);
  this->go_to(3.9, calls);
  this->go_to(4, ++calls);
}

}  // namespace
}  // namespace takt
