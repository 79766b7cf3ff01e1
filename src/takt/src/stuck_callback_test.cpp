// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// A callback that does not return: only operations that need its end wait for it.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <std_msgs/msg/u_int64.hpp>
#include <string>
#include <thread>

#include "takt/takt.hpp"
#include "takt_core/os/event.hpp"
#include "testing/background.hpp"

namespace takt {
namespace {

using namespace std::chrono_literals;
using testing::eventually;
using Number = std_msgs::msg::UInt64;

/// An executor with a node whose subscription is stuck in its callback.
class StuckCallbackTest : public ::testing::Test {
 protected:
  void SetUp() override {
    publisher_ = stuck_->create_publisher<Number>("t", 1);
    subscription_ = stuck_->create_subscription<Number>("t", 1,
                                                        [this](const Number &) {
                                                          ++times_;
                                                          inside_ = true;
                                                          if (times_ == 1) go_on_.wait();
                                                          inside_ = false;
                                                        },
                                                        {.triggers = true});
    executor_.add_node(stuck_);
    thread_ = std::thread([this] {
      executor_.spin();
      ended_ = true;
    });
    ASSERT_TRUE(eventually([this] { return executor_.spinning(); }));
    publisher_->publish(Number());
    ASSERT_TRUE(eventually([this] { return inside_.load(); }));
  }
  void TearDown() override {
    go_on_.post();
    executor_.cancel();
    thread_.join();
  }
  std::shared_ptr<Node> node(const std::string & name) {
    return std::make_shared<Node>(name, NodeOptions{.context = context_});
  }
  bool has_task() const {
    const auto tasks = executor_.tasks();
    return std::any_of(tasks.begin(), tasks.end(),
                       [](const auto & task) { return task.second == "stuck/t"; });
  }
  /// Returns whether other nodes can be changed while the callback is stuck. If that takes too
  /// long, lets the callback return.
  bool others_go_on() {
    std::atomic<bool> done = false;
    std::thread others([&] {
      change_others();
      done = true;
    });
    const bool in_time = eventually([&] { return done.load(); });
    if (!in_time) go_on_.post();
    others.join();
    return in_time && inside_;
  }
  /// Adds and removes nodes, and changes scenarios.
  void change_others() {
    for (int i = 0; i < 5; ++i) {
      const auto guest = node("guest" + std::to_string(i));
      const auto timer = guest->create_timer("tick", 1ms, [] {});
      SchedulingScenario scenario("s" + std::to_string(i));
      scenario.set_task("tick", {.deadline = 900us});
      const auto strategy = std::make_shared<SchedulingStrategy>();
      strategy->add_scenario(scenario);
      strategy->set_default_scenario(scenario.name());
      executor_.add_node(guest);
      executor_.set_scheduling_strategy(strategy);
      executor_.request_scenario(scenario.name());
      executor_.set_scheduling_strategy(nullptr);
      executor_.remove_node(guest);
    }
  }

  const std::shared_ptr<Context> context_ = testing::make_context();
  const std::shared_ptr<Node> stuck_ = node("stuck");
  std::shared_ptr<Publisher<Number>> publisher_;
  std::shared_ptr<Subscription<Number>> subscription_;
  os::Event go_on_;
  std::atomic<int> times_ = 0;
  std::atomic<bool> inside_ = false;
  std::atomic<bool> ended_ = false;
  SchedulingExecutor executor_{{.policy = "fp",
                                .lock_memory = false,
                                .log = [](const std::string &) {},
                                .diagnostics = {.enabled = false},
                                .context = context_}};
  std::thread thread_;
};

TEST_F(StuckCallbackTest, WhoRemovesItsNodeWaitsAlone) {
  std::atomic<bool> removed = false;
  std::thread removes([&] {
    executor_.remove_node(stuck_);
    removed = true;
  });
  EXPECT_TRUE(eventually([this] { return !has_task(); }));
  EXPECT_TRUE(others_go_on());
  EXPECT_FALSE(removed);
  go_on_.post();
  removes.join();
  EXPECT_FALSE(inside_);
}

TEST_F(StuckCallbackTest, WhoMovesItToAnotherGroupWaitsAlone) {
  const auto group = stuck_->create_callback_group(CallbackGroupType::mutually_exclusive);
  std::shared_ptr<Timer> timer;
  std::atomic<bool> made = false;
  std::thread makes([&] {
    // From now on, its messages are delivered by a timer of another group.
    timer = stuck_->create_timer("reads", 1h, {.reads = {{subscription_}}, .group = group}, [] {});
    made = true;
  });
  EXPECT_TRUE(eventually([this] { return !has_task(); }));
  EXPECT_TRUE(others_go_on());
  EXPECT_FALSE(made);
  go_on_.post();
  makes.join();
  publisher_->publish(Number());
  EXPECT_TRUE(eventually([&] { return times_ == 2 && !inside_; }));
}

TEST_F(StuckCallbackTest, SpinIsToldToEndAndEndsWhenItReturns) {
  std::thread removes([&] { executor_.remove_node(stuck_); });
  EXPECT_TRUE(eventually([this] { return !has_task(); }));
  executor_.cancel();
  EXPECT_TRUE(others_go_on());
  EXPECT_FALSE(ended_);
  go_on_.post();
  removes.join();
  EXPECT_TRUE(eventually([&] { return ended_.load(); }));
}

}  // namespace
}  // namespace takt
