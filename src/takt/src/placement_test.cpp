// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// Which processor of a SchedulingExecutor a task is on.
#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <std_msgs/msg/u_int64.hpp>
#include <string>
#include <vector>

#include "takt/exceptions.hpp"
#include "takt/takt.hpp"
#include "takt_core/os/clock.hpp"
#include "testing/error_of.hpp"
#include "testing/several_processors.hpp"

namespace takt {
namespace {

using namespace std::chrono_literals;
using std_msgs::msg::UInt64;
using testing::error_of;
using testing::two_cpus;

class PlacementTest : public testing::SeveralProcessorsTest {};

TEST_F(PlacementTest, TasksAreSpreadByWhatTheyDeclare) {
  const auto a = ticking("a", {.wcet = 300us});
  const auto b = ticking("b", {.wcet = 500us});
  const auto c = ticking("c", {.wcet = 300us});
  for (const auto & each : {a, b, c}) executor_->add_node(each);
  start();
  for (const char * callback : {"a/tick", "b/tick", "c/tick"}) EXPECT_TRUE(ran(callback));
  const auto where = placement();
  EXPECT_NE(where.at("a/tick"), where.at("b/tick"));
  EXPECT_EQ(where.at("a/tick"), where.at("c/tick"));
  EXPECT_EQ(executor_->processors(), 2u);
  check_places();
  stop();
  for (const TaskPlacement & task : executor_->placement()) {
    if (task.callback != "b/tick") continue;
    EXPECT_DOUBLE_EQ(task.declared, 0.25);
    EXPECT_GT(task.measured, 0);
    EXPECT_EQ(task.cpu, two_cpus()[task.processor]);
  }
}

TEST_F(PlacementTest, TasksArePlacedByHand) {
  const auto a = ticking("a", {.processor = 1});
  const auto b = ticking("b", {.processor = 1});
  const auto whole = node("whole", 1);
  const auto timer = whole->create_timer("tick", 2ms, [this] { places_.note("whole/tick"); });
  for (const auto & each : {a, b, whole}) executor_->add_node(each);
  start();
  for (const char * callback : {"a/tick", "b/tick", "whole/tick"}) {
    EXPECT_TRUE(ran(callback));
    EXPECT_EQ(placement().at(callback), 1u);
  }
  check_places();
}

TEST_F(PlacementTest, AGroupStaysWhole) {
  // As large as all others together, and in two nodes.
  const auto a = node("a");
  const auto group = a->create_callback_group(CallbackGroupType::mutually_exclusive);
  std::atomic<int> inside = 0;
  const auto exclusive = [&](const std::string & name) {
    return [&, name] {
      EXPECT_EQ(++inside, 1);
      places_.note(name);
      --inside;
    };
  };
  const auto b = node("b");
  std::vector<std::shared_ptr<Timer>> timers;
  for (const auto & each : {a, b}) {
    for (const char * name : {"x", "y", "z"}) {
      timers.push_back(each->create_timer(name, 1ms, {.group = group, .wcet = 100us},
                                          exclusive(each->get_name() + "/" + name)));
    }
  }
  const auto c = ticking("c", {.wcet = 600us});
  for (const auto & each : {a, b, c}) executor_->add_node(each);
  start();
  for (const char * callback : {"a/x", "a/y", "a/z", "b/x", "b/y", "b/z", "c/tick"}) {
    EXPECT_TRUE(ran(callback));
  }
  const auto where = placement();
  for (const char * callback : {"a/y", "a/z", "b/x", "b/y", "b/z"}) {
    EXPECT_EQ(where.at(callback), where.at("a/x")) << callback;
  }
  EXPECT_NE(where.at("c/tick"), where.at("a/x"));
  check_places();
}

TEST_F(PlacementTest, AReentrantGroupNeedNotBeWhole) {
  const auto a = node("a");
  const auto group = a->create_callback_group(CallbackGroupType::reentrant);
  const auto x =
      a->create_timer("x", 2ms, {.group = group, .processor = 0}, [this] { places_.note("a/x"); });
  const auto y =
      a->create_timer("y", 2ms, {.group = group, .processor = 1}, [this] { places_.note("a/y"); });
  executor_->add_node(a);
  start();
  EXPECT_TRUE(ran("a/x"));
  EXPECT_TRUE(ran("a/y"));
  check_places();
}

TEST_F(PlacementTest, WhatCannotBeIsRefusedInOneLine) {
  const auto split = node("split");
  const auto x = split->create_timer("x", 2ms, {.processor = 0}, [] {});
  const auto y = split->create_timer("y", 2ms, {.processor = 1}, [] {});
  EXPECT_EQ(error_of([&] { executor_->add_node(split); }),
            "'split/x' is on processor 0 and 'split/y' is on processor 1, but must be on one: "
            "'split/x' and 'split/y' exclude each other");
  const auto beyond = node("beyond", 2);
  const std::string why = error_of([&] { executor_->add_node(beyond); });
  EXPECT_TRUE(why.ends_with("is placed on processor 2, and there is only 0 to 1")) << why;
  // They can still go elsewhere, and the executor is as before.
  SchedulingExecutor other({.lock_memory = false, .context = context_});
  EXPECT_NE(error_of([&] { other.add_node(split); }), "");
  EXPECT_TRUE(executor_->tasks().empty());
  EXPECT_NE(error_of([&] { node("n")->create_timer("x", 2ms, {.wcet = -1ns}, [] {}); }), "");
}

/// A node that publishes `scan` and one that reads it with a `max_age`, each as large as can be.
class PairsTest : public PlacementTest {
 protected:
  void make_lidar(std::optional<std::size_t> processor = std::nullopt) {
    lidar_ = node("lidar", processor);
    scan_ = lidar_->create_publisher<UInt64>("scan", 1);
    timers_.push_back(
        lidar_->create_timer("tick", 1h, {.extra_releases = true, .wcet = 30min}, [this] {
          places_.note("lidar/tick");
          scan_->publish(UInt64());
        }));
  }
  void make_planner(ReadOptions read, std::optional<std::size_t> processor = std::nullopt) {
    planner_ = node("planner", processor);
    const auto scans = planner_->create_subscription<UInt64>("scan", 1, [](const UInt64 &) {});
    timers_.push_back(planner_->create_timer("plan", 5ms, {.reads = {{scans, read}}, .wcet = 2ms},
                                             [this] { places_.note("planner/plan"); }));
  }
  void add() {
    executor_->add_node(planner_);
    executor_->add_node(lidar_);
  }

  std::shared_ptr<Node> lidar_;
  std::shared_ptr<Node> planner_;
  std::shared_ptr<Publisher<UInt64>> scan_;
};

TEST_F(PairsTest, WhoRefreshesAnothersDataIsWithIt) {
  make_lidar();
  make_planner({.max_age = 20ms});
  add();
  start();
  EXPECT_TRUE(ran("planner/plan", 50));
  EXPECT_EQ(placement().at("planner/plan"), placement().at("lidar/tick"));
  EXPECT_GE(executor_->statistics().ages.extra_releases, 1u);
  EXPECT_GE(executor_->counters("planner/plan").refreshed, 1u);
  check_places();
  // The other one has room, but what comes later goes to its producer, too.
  const auto later = node("later");
  const auto scans = later->create_subscription<UInt64>("scan", 1, [](const UInt64 &) {});
  const auto reads = later->create_timer("plan", 5ms, {.reads = {{scans, {.max_age = 20ms}}}},
                                         [this] { places_.note("later/plan"); });
  executor_->add_node(later);
  EXPECT_EQ(placement().at("later/plan"), placement().at("lidar/tick"));
  EXPECT_TRUE(ran("later/plan"));
}

TEST_F(PairsTest, WhoIsPlacedApartByHandIsRefused) {
  make_lidar(0);
  make_planner({.max_age = 20ms}, 1);
  EXPECT_NE(error_of([&] { add(); }).find("read and refresh the same data"), std::string::npos);
}

TEST_F(PairsTest, UnlessItWasSaidWhatBecomesOfOldData) {
  make_lidar(0);
  make_planner({.max_age = 20ms, .on_stale = OnStale::report}, 1);
  add();
  start();
  EXPECT_TRUE(ran("planner/plan", 50));
  EXPECT_EQ(placement().at("planner/plan"), 1u);
  stop();
  EXPECT_EQ(executor_->statistics().ages.extra_releases, 0u);
  EXPECT_GE(executor_->counters("planner/plan").stale_reported, 1u);
}

TEST_F(PairsTest, AScenarioThatNeedsThemTogetherIsRefusedWhereTheyAreApart) {
  make_lidar();
  make_planner({});
  add();
  start();
  EXPECT_TRUE(ran("planner/plan"));
  ASSERT_NE(placement().at("planner/plan"), placement().at("lidar/tick"));
  auto careful = SchedulingScenario("careful");
  careful.set_task("planner/plan", {.max_age = {{"scan", 20ms}}});
  auto strategy = std::make_shared<SchedulingStrategy>();
  strategy->add_scenario(careful);
  strategy->set_default_scenario("careful");
  const std::string why = error_of([&] { executor_->set_scheduling_strategy(strategy); });
  EXPECT_NE(why.find("cannot refresh what 'planner/plan' on processor"), std::string::npos) << why;
  stop();
  // Before it spins they are placed anew.
  executor_->set_scheduling_strategy(strategy);
  start();
  EXPECT_TRUE(ran("planner/plan", places_.jobs("planner/plan") + 5));
  EXPECT_EQ(placement().at("planner/plan"), placement().at("lidar/tick"));
}

TEST_F(PlacementTest, PlacementByMeasurement) {
  // Nothing is declared, so at first they are spread by their number.
  std::vector<std::shared_ptr<Node>> nodes;
  for (const char * name : {"a", "b", "c", "d"}) {
    nodes.push_back(node(name));
    const bool busy = name[0] == 'a' || name[0] == 'c';
    timers_.push_back(nodes.back()->create_timer("tick", 4ms, [this, name, busy] {
      const model::Time end = os::thread_cpu() + (busy ? 1'000'000 : 0);
      while (os::thread_cpu() < end) {
      }
      places_.note(std::string(name) + "/tick");
    }));
    executor_->add_node(nodes.back());
  }
  start();
  for (const char * callback : {"a/tick", "c/tick"}) EXPECT_TRUE(ran(callback));
  EXPECT_NE(error_of([&] { executor_->rebalance(); }), "");
  stop();
  std::map<std::string, double> measured;
  for (const TaskPlacement & task : executor_->placement()) {
    EXPECT_EQ(task.declared, 0);
    measured[task.callback] = task.measured;
  }
  EXPECT_GT(measured.at("a/tick"), measured.at("b/tick"));
  executor_->rebalance();
  const auto where = placement();
  EXPECT_NE(where.at("a/tick"), where.at("c/tick"));
  // What it was placed by is how it stays.
  start();
  EXPECT_TRUE(ran("a/tick", places_.jobs("a/tick") + 5));
  EXPECT_EQ(placement(), where);
}

TEST_F(PlacementTest, SaysWhereMoreIsNeededThanThereIs) {
  for (const char * name : {"a", "b", "c"}) {
    const auto each = ticking(name, {.wcet = 1200us});
    executor_->add_node(each);
    nodes_.push_back(each);
  }
  start();
  EXPECT_TRUE(ran("a/tick"));
  stop();
  bool said = false;
  for (const std::string & line : log_.wait_for(1)) {
    said = said || line.find("need 120 % of it") != std::string::npos;
  }
  EXPECT_TRUE(said);
}

}  // namespace
}  // namespace takt
