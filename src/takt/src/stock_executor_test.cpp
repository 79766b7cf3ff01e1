// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt/stock_executor.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <std_msgs/msg/u_int64.hpp>
#include <stdexcept>
#include <string>
#include <utility>

#include "takt/exceptions.hpp"
#include "takt/takt.hpp"
#include "takt_core/os/clock.hpp"
#include "testing/background.hpp"

namespace takt {
namespace {

using namespace std::chrono_literals;
using std_msgs::msg::UInt64;

class StockExecutorTest : public ::testing::Test {
 protected:
  std::shared_ptr<Node> make_node(const std::string & name) {
    return std::make_shared<Node>(name, NodeOptions{.context = context_});
  }
  std::shared_ptr<Context> context_ = testing::make_context();
  StockExecutor executor_{{.context = context_}};
};

TEST_F(StockExecutorTest, WhatIsReadyTogetherGoesByKindThenByRegistration) {
  const auto a = make_node("a");
  const auto b = make_node("b");
  std::string order;
  std::size_t before = 0;
  bool together = false;
  const auto publisher = a->create_publisher<UInt64>("t", 1);
  const auto subscription =
      a->create_subscription<UInt64>("t", 1, [&](const UInt64 &) { order += "S"; });
  // Blocks the executor until all callbacks are ready, so that they are in one snapshot. On a slow
  // machine some may be in the gate's own snapshot; then the test waits for the next round.
  const auto gate = b->create_timer("gate", 50ms, [&] {
    if (together) {
      if (order.size() >= 3) executor_.cancel();  // otherwise it is due again with them, and first
      return;
    }
    const model::Time release = current_job()->release;
    const bool alone = order.size() == std::exchange(before, order.size()) + 2;
    if (!alone || os::now() >= release + 5'000'000) return;
    together = true;
    order.clear();
    publisher->publish(UInt64());
    while (os::now() < release + 30'000'000) {
    }
  });
  const auto second = b->create_timer("second", 50ms, {.phase = 10ms}, [&] { order += "2"; });
  const auto third =
      b->create_timer("third", 50ms, {.priority = 98, .phase = 5ms}, [&] { order += "3"; });
  executor_.add_node(a);
  executor_.add_node(b);
  executor_.set_start(os::now() + 10'000'000);
  executor_.spin();
  EXPECT_EQ(order.substr(0, 3), "23S");
}

TEST_F(StockExecutorTest, DecisionsAreTimedIfAskedFor) {
  for (const bool asked : {false, true}) {
    const auto node = make_node("node");
    StockExecutor executor({.context = context_, .time_decisions = asked});
    const auto timer = node->create_timer("x", 1ms, [&] {
      EXPECT_EQ(current_job()->decision > 0, asked);
      executor.cancel();
    });
    executor.add_node(node);
    executor.spin();
  }
}

TEST_F(StockExecutorTest, NumbersTasksInTheOrderTheyWereAdded) {
  const auto a = make_node("a");
  const auto timer = a->create_timer("x", 1ms, [this] {
    EXPECT_NE(current_job(), nullptr);
    EXPECT_LT(to_number(current_job()->task), 100u);
    executor_.cancel();
  });
  executor_.add_node(a);
  EXPECT_EQ(current_job(), nullptr);
  executor_.spin();
  EXPECT_EQ(current_job(), nullptr);
}

TEST_F(StockExecutorTest, AnExceptionComesOutOfSpin) {
  const auto a = make_node("a");
  const auto timer = a->create_timer("x", 1ms, [] { throw std::domain_error("mine"); });
  executor_.add_node(a);
  EXPECT_THROW(executor_.spin(), std::domain_error);
  EXPECT_FALSE(executor_.spinning());
  EXPECT_THROW(executor_.spin(), std::domain_error);
}

TEST_F(StockExecutorTest, ShutdownEndsSpin) {
  const auto a = make_node("a");
  const auto timer = a->create_timer("x", 1ms, [this] { context_->shutdown(); });
  executor_.add_node(a);
  executor_.spin();
  executor_.spin();  // at once
}

TEST_F(StockExecutorTest, CancelBeforeSpinEndsIt) {
  executor_.cancel();
  executor_.spin();
}

TEST_F(StockExecutorTest, RefusesASecondSpin) {
  const auto a = make_node("a");
  const auto timer = a->create_timer("x", 1ms, [this] {
    EXPECT_TRUE(executor_.spinning());
    EXPECT_THROW(executor_.spin(), Error);
    executor_.cancel();
  });
  executor_.add_node(a);
  executor_.spin();
}

TEST_F(StockExecutorTest, NeedsAContextThatIsInitialised) {
  EXPECT_THROW(StockExecutor({.context = std::make_shared<Context>()}), Error);
}

TEST_F(StockExecutorTest, RclsSteadyClockIsOurs) {
  const Clock clock(ClockType::steady);
  const model::Time before = os::now();
  const std::int64_t rcl = clock.now_ns();
  EXPECT_LE(before, rcl);
  EXPECT_LE(rcl, os::now());
}

}  // namespace
}  // namespace takt
