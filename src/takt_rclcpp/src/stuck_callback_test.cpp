// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// A callback that does not return, and changes of nodes meanwhile.
#include <gmock/gmock.h>

#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "testing/background.hpp"

namespace takt::rclcpp {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::Watched;

/// An executor with a node `a` whose timer is stuck in its first callback.
class StuckCallbackTest : public testing::ExecutorTest {
 protected:
  void make_stuck() {
    stuck_ = make_node("a");
    timer_ = stuck_->create_wall_timer(1ms, [this] {
      EXPECT_EQ(inside_.fetch_add(1), 0);
      calls_.add(1);
      if (calls_.get() == 1) {
        EXPECT_TRUE(go_on_.wait_for_at_least(1));
      }
      inside_.fetch_sub(1);
    });
    executor_->add_node(stuck_);
    start();
    ASSERT_TRUE(calls_.wait_for_at_least(1));
  }
  ::rclcpp::node_interfaces::NodeBaseInterface::SharedPtr base() const {
    return stuck_->get_node_base_interface();
  }
  /// Adds and removes another node, on this thread.
  void another_comes_and_goes() {
    const auto node = make_node("b");
    const auto timer = node->create_wall_timer(2ms, [] {});
    executor_->add_node(node);
    EXPECT_TRUE(testing::eventually([this] { return has("b/timer:2ms"); }));
    executor_->remove_node(node);
    EXPECT_THAT(executor_->finish_removals(testing::patience, node->get_node_base_interface()),
                IsEmpty());
    EXPECT_FALSE(has("b/timer:2ms"));
    EXPECT_EQ(inside_.load(), 1);
  }

  ::rclcpp::Node::SharedPtr stuck_;
  ::rclcpp::TimerBase::SharedPtr timer_;
  Watched<int> calls_;
  Watched<int> go_on_;
  std::atomic<int> inside_ = 0;
};

TEST_F(StuckCallbackTest, OthersComeAndGo) {
  make_stuck();
  another_comes_and_goes();
  executor_->remove_node(stuck_);
  EXPECT_THAT(executor_->finish_removals(0ns), ElementsAre("a/timer:1ms"));
  another_comes_and_goes();
  EXPECT_THAT(executor_->finish_removals(1ms, base()), ElementsAre("a/timer:1ms"));
  std::thread waits([this] { executor_->finish_removals(); });
  another_comes_and_goes();
  EXPECT_THAT(executor_->finish_removals(0ns, base()), ElementsAre("a/timer:1ms"));
  go_on_.set(1);
  EXPECT_THAT(executor_->finish_removals(testing::patience), IsEmpty());
  EXPECT_EQ(inside_.load(), 0);
  waits.join();
  stop();
  EXPECT_EQ(calls_.get(), 1);
}

TEST_F(StuckCallbackTest, ItsNodeMayComeBackAndRunsWhenItHasReturned) {
  make_stuck();
  executor_->remove_node(stuck_);
  executor_->add_node(stuck_);
  another_comes_and_goes();
  EXPECT_FALSE(has("a/timer:1ms"));
  go_on_.set(1);
  EXPECT_TRUE(calls_.wait_for_at_least(3));
  EXPECT_TRUE(has("a/timer:1ms"));
  stop();
}

TEST_F(StuckCallbackTest, ItsTimingMayChangeAndHoldsWhenItHasReturned) {
  make_stuck();
  executor_->set_task(timer_, {.priority = 10});
  another_comes_and_goes();
  executor_->set_task(timer_, {.priority = 20});
  another_comes_and_goes();
  go_on_.set(1);
  EXPECT_TRUE(calls_.wait_for_at_least(3));
  EXPECT_TRUE(testing::eventually([this] { return has("a/timer:1ms"); }));
  stop();
}

TEST_F(StuckCallbackTest, ItsNodeMayBeDropped) {
  make_stuck();
  executor_->set_task(timer_, {.priority = 10});
  another_comes_and_goes();
  timer_.reset();
  stuck_.reset();
  another_comes_and_goes();
  EXPECT_THAT(executor_->finish_removals(0ns), ElementsAre("a/timer:1ms"));
  go_on_.set(1);
  EXPECT_THAT(executor_->finish_removals(testing::patience), IsEmpty());
  stop();
  EXPECT_EQ(calls_.get(), 1);
}

}  // namespace
}  // namespace takt::rclcpp
