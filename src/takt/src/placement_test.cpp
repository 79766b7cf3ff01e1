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
#include "takt_core/tasks/testing/error_of.hpp"
#include "testing/several_processors.hpp"

namespace takt {
namespace {

using namespace std::chrono_literals;
using std_msgs::msg::UInt64;
using testing::error_of;
using testing::Seen;
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
  EXPECT_EQ(executor_->processor_count(), 2u);
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
  // The group needs as much CPU time as all other tasks together, and its members are in two nodes.
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
            "'split/x' and 'split/y' exclude each other, so they must be on one processor, but "
            "'split/x' is on processor 0, and 'split/y' is on processor 1");
  const auto beyond = node("beyond", 2);
  const std::string why = error_of([&] { executor_->add_node(beyond); });
  const std::string cpus =
      "{" + std::to_string(two_cpus()[0]) + ", " + std::to_string(two_cpus()[1]) + "}";
  EXPECT_TRUE(
      why.ends_with("is placed on processor 2, and there is only 0 to 1: `.processor` is a place "
                    "in the executor's `.cpus`, which are " +
                    cpus))
      << why;
  // The refusal leaves the executor unchanged, and another executor checks the node anew.
  SchedulingExecutor other({.lock_memory = false, .context = context_});
  EXPECT_NE(error_of([&] { other.add_node(split); }), "");
  EXPECT_TRUE(executor_->tasks().empty());
  EXPECT_NE(error_of([&] { node("n")->create_timer("x", 2ms, {.wcet = -1ns}, [] {}); }), "");
  EXPECT_NE(error_of([&] { executor_->processor(2); }), "");
}

TEST_F(PlacementTest, AGroupIsPlacedByHand) {
  // The processor of the group takes precedence over that of its node.
  const auto a = node("a", 0);
  const auto b = node("b");
  const auto group =
      a->create_callback_group(CallbackGroupType::mutually_exclusive, {.processor = 1});
  const auto publisher = a->create_publisher<UInt64>("topic", 1);
  for (const auto & each : {a, b}) {
    timers_.push_back(each->create_timer("x", 2ms, {.group = group}, [this, publisher, each] {
      places_.note(each->get_name() + "/x");
      publisher->publish(UInt64());
    }));
  }
  const auto subscription = a->create_subscription<UInt64>(
      "topic", 1, [this](const UInt64 &) { places_.note("a/topic"); }, {.group = group});
  const auto outside = a->create_timer("outside", 2ms, [this] { places_.note("a/outside"); });
  executor_->add_node(a);
  executor_->add_node(b);
  start();
  for (const char * callback : {"a/x", "b/x", "a/topic"}) {
    EXPECT_TRUE(ran(callback));
    EXPECT_EQ(placement().at(callback), 1u) << callback;
  }
  EXPECT_TRUE(ran("a/outside"));
  EXPECT_EQ(placement().at("a/outside"), 0u);
  check_places();
  // A task cannot be on another processor than its group.
  const auto same = a->create_timer("same", 2ms, {.group = group, .processor = 1}, [] {});
  EXPECT_EQ(
      error_of([&] { a->create_timer("other", 2ms, {.group = group, .processor = 0}, [] {}); }),
      "'other' is placed on processor 0, its group on processor 1: leave one of them out");
}

TEST_F(PlacementTest, ScenariosCountAsTheyNeedTheMost) {
  // With the timing from its creation, `a` has the smallest utilisation.
  const auto a = ticking("a", {.wcet = 6ms}, 100ms);
  const auto b = ticking("b", {.wcet = 3ms}, 10ms);
  const auto c = ticking("c", {.wcet = 3ms}, 10ms);
  for (const auto & each : {a, b, c}) executor_->add_node(each);
  auto calm = SchedulingScenario("calm");
  auto busy = SchedulingScenario("busy");
  calm.set_task("b/tick", {.suspended = true});
  busy.set_task("a/tick", {.period = 10ms});
  auto strategy = std::make_shared<SchedulingStrategy>();
  strategy->add_scenario(calm);
  strategy->add_scenario(busy);
  strategy->set_default_scenario("calm");
  executor_->set_scheduling_strategy(strategy);
  start();
  EXPECT_TRUE(ran("c/tick"));
  const auto where = placement();
  EXPECT_NE(where.at("b/tick"), where.at("a/tick"));
  EXPECT_EQ(where.at("b/tick"), where.at("c/tick"));
  for (const TaskPlacement & task : executor_->placement()) {
    if (!task.callback.ends_with("/tick") || task.callback == "c/tick") continue;
    EXPECT_DOUBLE_EQ(task.declared, task.callback == "a/tick" ? 0.6 : 0.3) << task.callback;
  }
  stop();
  busy.set_task("b/tick", {.period = 4ms});
  auto more = std::make_shared<SchedulingStrategy>();
  more->add_scenario(busy);
  more->set_default_scenario("busy");
  executor_->set_scheduling_strategy(more);
  start();
  EXPECT_TRUE(said("need 105 % of it, as declared or measured, each in the scenario where"));
}

/// A node that publishes `scan` and one that reads it with a `max_age`, each with a high
/// utilisation.
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
  /// Starts to spin with the two tasks on different processors.
  void start_apart() {
    make_lidar();
    make_planner({});
    add();
    start();
    EXPECT_TRUE(ran("planner/plan"));
    ASSERT_NE(placement().at("planner/plan"), placement().at("lidar/tick"));
  }
  /// A strategy that requires both tasks to be on one processor.
  static SchedulingStrategy::SharedPtr careful() {
    auto careful = SchedulingScenario("careful");
    careful.set_task("planner/plan", {.max_age = {{"scan", 20ms}}});
    auto strategy = std::make_shared<SchedulingStrategy>();
    strategy->add_scenario(careful);
    strategy->set_default_scenario("careful");
    return strategy;
  }
  bool runs_on() { return ran("planner/plan", places_.jobs("planner/plan") + 5); }

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
  // The other processor has room, but a later reader is placed with its producer, too.
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
  start_apart();
  const auto strategy = careful();
  const std::string why = error_of([&] { executor_->set_scheduling_strategy(strategy); });
  EXPECT_NE(why.find("cannot refresh what 'planner/plan' on processor"), std::string::npos) << why;
  stop();
  // Tasks are placed anew before the executor spins.
  executor_->set_scheduling_strategy(strategy);
  start();
  EXPECT_TRUE(runs_on());
  EXPECT_EQ(placement().at("planner/plan"), placement().at("lidar/tick"));
}

TEST_F(PairsTest, WhatComesAfterSuchAScenarioIsNotRefused) {
  start_apart();
  stop();
  executor_->set_scheduling_strategy(careful());
  const auto newcomer = ticking("newcomer");
  executor_->add_node(newcomer);
  const auto more = planner_->create_timer("more", 2ms, [this] { places_.note("planner/more"); });
  timers_[1]->cancel();
  timers_[1]->reset();
  EXPECT_EQ(placement().at("planner/plan"), placement().at("lidar/tick"));
  start();
  EXPECT_TRUE(runs_on());
  EXPECT_TRUE(ran("newcomer/tick"));
  EXPECT_TRUE(ran("planner/more"));
}

TEST_F(PairsTest, ATimerWhoseResetIsRefusedStaysCanceled) {
  start_apart();
  Timer & plan = *timers_[1];
  plan.cancel();
  executor_->set_scheduling_strategy(careful());
  const std::string why = error_of([&] { plan.reset(); });
  EXPECT_TRUE(why.starts_with("'planner/plan' and 'lidar/tick' read and refresh the same data"))
      << why;
  EXPECT_TRUE(plan.is_canceled());
  stop();
  plan.reset();
  start();
  EXPECT_TRUE(runs_on());
}

TEST_F(PairsTest, WhatACallbackAskedForAndIsRefusedLaterIsToldAndMadeGood) {
  start_apart();
  Timer & plan = *timers_[1];
  plan.cancel();
  executor_->set_scheduling_strategy(careful());
  // A callback whose change is refused gets an exception, unless another thread is changing tasks
  // at that moment: then the change is made, and refused, after the callback has returned.
  Seen<bool> begun;
  Seen<bool> asked;
  const auto asker = node("asker", 0);
  const auto asks = asker->create_timer("asks", 2ms, [&] {
    if (begun.size() > 0) return;
    begun.add(true);
    asked.add(testing::eventually([&] { return error_of([&] { plan.reset(); }).empty(); }));
  });
  executor_->add_node(asker);
  EXPECT_EQ(begun.wait_for(1).size(), 1u);
  const auto guest = ticking("guest", {.processor = 0});
  while (asked.size() == 0) {
    executor_->add_node(guest);
    executor_->remove_node(guest);
  }
  EXPECT_TRUE(asked.wait_for(1).at(0));
  EXPECT_TRUE(said("a change asked for by a callback failed: 'planner/plan' and 'lidar/tick'"));
  EXPECT_FALSE(plan.is_canceled());
  stop();
  start();
  EXPECT_TRUE(runs_on());
}

TEST_F(PlacementTest, PlacementByMeasurement) {
  // No utilisation is declared, so at first the tasks are spread evenly by number.
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
  // The placement by measurement is kept.
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
  EXPECT_TRUE(said("need 120 % of it, as declared or measured: some will be late"));
}

}  // namespace
}  // namespace takt
