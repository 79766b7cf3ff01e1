// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// Switching to simulated time and back while callbacks run.
#include "time_source.hpp"

#include <gtest/gtest.h>

#include <memory>

#include "takt/takt.hpp"
#include "testing/background.hpp"
#include "testing/seen.hpp"

namespace takt {
namespace {

using namespace std::chrono_literals;
using testing::Seen;

class TimeSourceTest : public ::testing::Test {
 protected:
  void SetUp() override {
    background_.add(node_);
    background_.start();
  }
  std::shared_ptr<Timer> on_ros_time(const char * name) {
    return node_->create_timer(name, 1h, {.phase = 1h, .clock = ClockType::ros}, [] {});
  }
  SetParametersResult use_sim_time(bool on) {
    return node_->set_parameter(Parameter("use_sim_time", on));
  }

  std::shared_ptr<Context> context_ = testing::make_context();
  std::shared_ptr<Node> node_ = std::make_shared<Node>("node", NodeOptions{.context = context_});
  testing::Background<SchedulingExecutor> background_{context_};
};

TEST_F(TimeSourceTest, FollowsTheParameter) {
  EXPECT_FALSE(node_->get_clock()->ros_time_is_active());
  EXPECT_TRUE(use_sim_time(true).successful);
  EXPECT_TRUE(node_->get_clock()->ros_time_is_active());
  EXPECT_TRUE(use_sim_time(false).successful);
  EXPECT_FALSE(node_->get_clock()->ros_time_is_active());
}

TEST_F(TimeSourceTest, IsSwitchedWhileACallbackSetsAParameter) {
  const auto timer = on_ros_time("simulated");
  node_->declare_parameter("count", 0);
  Seen<int> switching;
  Seen<int> inside;
  Seen<bool> set;
  // Called while the switching thread holds the lock for changing parameters.
  const auto check = node_->add_on_set_parameters_callback([&](const auto & parameters) {
    if (parameters[0].get_name() == "use_sim_time") {
      switching.add(1);
      inside.wait_for(switching.size());
    }
    SetParametersResult result;
    result.successful = true;
    return result;
  });
  const auto job = node_->create_timer("job", 1ms, {.queue = 1}, [&] {
    if (switching.size() == inside.size()) return;
    inside.add(1);
    set.add(node_->set_parameter(Parameter("count", 1)).successful);
  });
  for (const bool on : {true, false}) {
    EXPECT_TRUE(use_sim_time(on).successful);
    EXPECT_EQ(node_->get_clock()->ros_time_is_active(), on);
  }
  EXPECT_EQ(set.wait_for(2).size(), 2u);
}

TEST_F(TimeSourceTest, IsSwitchedWhileACallbackEndsATimerOnIt) {
  auto timer = on_ros_time("simulated");
  Seen<int> switching;
  Seen<int> inside;
  Seen<int> ended;
  // Called by the switching thread, before the timers are notified.
  const auto before = node_->get_clock()->create_jump_callback(
      [&] {
        switching.add(1);
        inside.wait_for(1);
      },
      nullptr, {});
  const auto job = node_->create_timer("job", 1ms, [&] {
    if (switching.size() == 0 || inside.size() > 0) return;
    inside.add(1);
    timer.reset();
    ended.add(1);
  });
  EXPECT_TRUE(use_sim_time(true).successful);
  EXPECT_EQ(ended.wait_for(1).size(), 1u);
}

}  // namespace
}  // namespace takt
