// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// Nodes that follow one /clock have one thread and one subscription in common.
#include "clock_follower.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <optional>
#include <rosgraph_msgs/msg/clock.hpp>
#include <string>
#include <thread>
#include <vector>

#include "takt/takt.hpp"
#include "takt_core/os/threads.hpp"
#include "testing/background.hpp"
#include "testing/seen.hpp"

namespace takt {
namespace {

using namespace std::chrono_literals;
using ClockMessage = rosgraph_msgs::msg::Clock;
using testing::eventually;
using testing::Seen;

std::vector<os::ThreadInfo> clock_threads() {
  std::vector<os::ThreadInfo> threads = os::threads_of_process();
  std::erase_if(threads, [](const os::ThreadInfo & info) { return info.name != "takt.clock"; });
  return threads;
}

/// Publishes simulated time from a context of its own, as another process would.
class World {
 public:
  explicit World(const std::string & topic = "/clock")
      : node_(std::make_shared<Node>("world", NodeOptions{.context = testing::make_context()})),
        publisher_(node_->create_publisher<ClockMessage>(topic, clock_qos())) {}

  void say(double seconds) {
    ClockMessage message;
    message.clock.sec = static_cast<std::int32_t>(seconds);
    message.clock.nanosec =
        static_cast<std::uint32_t>((seconds - message.clock.sec) * 1'000'000'000);
    publisher_->publish(message);
  }
  /// Publishes the time repeatedly, until the node has received it: best effort may lose messages.
  bool say_to(Node & node, double seconds) {
    return eventually([&] {
      say(seconds);
      return node.now().seconds() == seconds;
    });
  }
  std::size_t subscriptions() const { return publisher_->get_subscription_count(); }
  bool has_subscriptions(std::size_t count) const {
    return eventually([&] { return subscriptions() == count; });
  }

 private:
  std::shared_ptr<Node> node_;
  std::shared_ptr<Publisher<ClockMessage>> publisher_;
};

class ClockFollowerTest : public ::testing::Test {
 protected:
  std::shared_ptr<Node> make_node(const std::string & name,
                                  const std::vector<std::string> & arguments = {},
                                  bool use_sim_time = true) {
    return std::make_shared<Node>(
        name, NodeOptions{.context = context_,
                          .arguments = arguments,
                          .parameter_overrides = {Parameter("use_sim_time", use_sim_time)}});
  }
  static bool has_threads(std::size_t count) {
    return eventually([&] { return clock_threads().size() == count; });
  }
  static void use_sim_time(Node & node, bool on) {
    ASSERT_TRUE(node.set_parameter(Parameter("use_sim_time", on)).successful);
  }

  std::shared_ptr<Context> context_ = testing::make_context();
};

TEST_F(ClockFollowerTest, TwentyNodesHaveOneThreadAndOneSubscription) {
  constexpr std::size_t count = 20;
  World world;
  std::vector<std::shared_ptr<Node>> nodes;
  std::vector<std::shared_ptr<Timer>> timers;
  std::vector<std::atomic<int>> jobs(count);
  testing::Background<SchedulingExecutor> background(context_);
  for (std::size_t i = 0; i < count; ++i) {
    auto node = make_node("node" + std::to_string(i));
    timers.push_back(node->create_timer("tick", 100ms, {.queue = 1, .clock = ClockType::ros},
                                        [&jobs, i] { ++jobs[i]; }));
    background.add(node);
    nodes.push_back(std::move(node));
  }
  background.start();
  int time = 0;
  EXPECT_TRUE(eventually([&] {
    world.say(++time);
    return std::all_of(jobs.begin(), jobs.end(), [](const auto & seen) { return seen >= 3; });
  }));
  EXPECT_EQ(clock_threads().size(), 1u);
  EXPECT_EQ(world.subscriptions(), 1u);
  EXPECT_EQ(nodes.front()->count_subscribers("/clock"), 1u);
  // When the clock of the last node has been set, all nodes have the same time.
  ASSERT_TRUE(world.say_to(*nodes.back(), time + 1));
  for (const auto & node : nodes) EXPECT_EQ(node->now(), nodes.back()->now());

  // The thread `takt.clock` is covered by the executor's priority plan.
  const auto threads = background.executor().grants().threads;
  const auto planned = std::find_if(threads.begin(), threads.end(), [](const auto & thread) {
    return thread.tid == clock_threads().front().tid;
  });
  ASSERT_NE(planned, threads.end());
  EXPECT_EQ(planned->role, "middleware");
  EXPECT_EQ(planned->asked, executor::PriorityPlan().middleware);
}

TEST_F(ClockFollowerTest, WhoLeavesHasTheSystemsTimeAndOthersGoOn) {
  World world;
  const auto one = make_node("one");
  auto other = make_node("other");
  ASSERT_TRUE(world.say_to(*other, 5));
  use_sim_time(*one, false);
  EXPECT_FALSE(one->get_clock()->ros_time_is_active());
  ASSERT_TRUE(world.say_to(*other, 6));
  EXPECT_GT(one->now().seconds(), 1e9);
  EXPECT_EQ(clock_threads().size(), 1u);
  other.reset();
  EXPECT_TRUE(has_threads(0));
  EXPECT_TRUE(world.has_subscriptions(0));
  use_sim_time(*one, true);
  EXPECT_EQ(clock_threads().size(), 1u);
  EXPECT_TRUE(world.say_to(*one, 7));
  use_sim_time(*one, false);
  EXPECT_TRUE(has_threads(0));
  EXPECT_TRUE(world.has_subscriptions(0));
}

TEST_F(ClockFollowerTest, WhoJoinsHasTheTimeAtOnce) {
  World world;
  const auto one = make_node("one");
  EXPECT_EQ(one->now().nanoseconds(), 0);
  ASSERT_TRUE(world.say_to(*one, 5));
  const auto other = make_node("other");
  EXPECT_EQ(other->now().seconds(), 5);
  const auto third = make_node("third", {}, false);
  Seen<std::int64_t> updates;
  const auto handle =
      third->get_clock()->on_update([&](const TimeUpdate & update) { updates.add(update.now_ns); });
  use_sim_time(*third, true);
  EXPECT_EQ(updates.wait_for(2).back(), 5'000'000'000);
}

TEST_F(ClockFollowerTest, EachTopicAndEachContextHasItsOwn) {
  World world;
  World elsewhere("/robot/time");
  const auto one = make_node("one", {"--ros-args", "-r", "__ns:=/somewhere"});
  const auto remapped = make_node("remapped", {"--ros-args", "-r", "/clock:=/robot/time"});
  const auto likewise =
      make_node("likewise", {"--ros-args", "-r", "/clock:=time", "-r", "__ns:=/robot"});
  const auto other_context = std::make_shared<Node>(
      "one", NodeOptions{.context = testing::make_context(),
                         .parameter_overrides = {Parameter("use_sim_time", true)}});
  EXPECT_EQ(clock_threads().size(), 3u);
  ASSERT_TRUE(world.say_to(*one, 5));
  ASSERT_TRUE(world.say_to(*other_context, 5));
  ASSERT_TRUE(elsewhere.say_to(*remapped, 9));
  ASSERT_TRUE(elsewhere.say_to(*likewise, 9));
  EXPECT_EQ(one->now().seconds(), 5);
  EXPECT_TRUE(world.has_subscriptions(2));
  EXPECT_TRUE(elsewhere.has_subscriptions(1));
}

TEST_F(ClockFollowerTest, AJumpOfOneNodeMayEndOthersAndAtLastItself) {
  World world;
  std::vector<std::shared_ptr<Node>> nodes;
  for (const char * name : {"one", "other", "third"}) nodes.push_back(make_node(name));
  Seen<double> jumps;
  const auto stays = make_node("stays", {}, false);
  // Called on the follower's thread: at time 5 it destroys a node whose clock has not been set yet,
  // at time 6 all remaining nodes, including its own.
  const auto handle = nodes.front()->get_clock()->create_jump_callback(
      nullptr,
      [&](const TimeUpdate & update) {
        const double time = static_cast<double>(update.now_ns) / 1e9;
        if (time == 5) nodes.pop_back();
        if (time == 6) nodes.clear();
        jumps.add(time);
      },
      {.on_clock_change = false, .min_forward = 1ns});
  const auto told = [&](double time) {
    return eventually([&] {
      world.say(time);
      return jumps.size() > 0 && jumps.wait_for(1).back() == time;
    });
  };
  ASSERT_TRUE(told(5));
  EXPECT_EQ(clock_threads().size(), 1u);
  ASSERT_TRUE(told(6));
  EXPECT_TRUE(has_threads(0));
  EXPECT_TRUE(world.has_subscriptions(0));
  use_sim_time(*stays, true);
  EXPECT_TRUE(world.say_to(*stays, 7));
}

TEST_F(ClockFollowerTest, AJobMayEndNodesToTheLast) {
  World world;
  testing::Background<SchedulingExecutor> background(context_);
  std::vector<std::shared_ptr<Node>> nodes;
  for (const char * name : {"one", "other", "third"}) {
    nodes.push_back(make_node(name));
    background.add(nodes.back());
  }
  Seen<std::size_t> left;
  const auto host = make_node("host", {}, false);
  // A job that simulated time releases destroys the nodes that follow it, at last its own.
  const auto tick =
      nodes.front()->create_timer("tick", 1s, {.queue = 1, .clock = ClockType::ros}, [&] {
        if (nodes.empty()) return;
        nodes.pop_back();
        left.add(nodes.size());
      });
  background.add(host);
  background.start();
  int time = 0;
  EXPECT_TRUE(eventually([&] {
    world.say(++time);
    return left.size() == 3;
  }));
  EXPECT_EQ(left.wait_for(3), (std::vector<std::size_t>{2, 1, 0}));
  EXPECT_TRUE(has_threads(0));
  EXPECT_TRUE(world.has_subscriptions(0));
}

TEST_F(ClockFollowerTest, AJumpMayMakeANodeThatFollows) {
  World world;
  const auto one = make_node("one");
  std::shared_ptr<Node> made;
  Seen<double> seen;
  const auto handle =
      one->get_clock()->create_jump_callback(nullptr,
                                             [&](const TimeUpdate &) {
                                               made = make_node("made");
                                               seen.add(made->now().seconds());
                                             },
                                             {.on_clock_change = false, .min_forward = 1ns});
  ASSERT_TRUE(world.say_to(*one, 5));
  EXPECT_EQ(seen.wait_for(1).front(), 5);
  EXPECT_EQ(clock_threads().size(), 1u);
}

TEST_F(ClockFollowerTest, NodesComeAndGoWhileTimeGoesOn) {
  World world;
  const auto stays = make_node("stays");
  Seen<std::int64_t> back;
  const auto watch = [&](Node & node) {
    return node.get_clock()->create_jump_callback(
        nullptr, [&](const TimeUpdate & update) { back.add(update.delta.count()); },
        {.on_clock_change = false, .min_backward = -1ns});
  };
  const auto watching = watch(*stays);
  std::atomic<bool> stop{false};
  std::thread source([&] {
    for (double now = 1; !stop; now += 0.001) {
      world.say(now);
      std::this_thread::yield();
    }
  });
  EXPECT_TRUE(eventually([&] { return stays->now().nanoseconds() > 0; }));
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 2; ++thread) {
    threads.emplace_back([&, thread] {
      const auto toggled = make_node("toggled" + std::to_string(thread), {}, false);
      for (int i = 0; i < 20; ++i) {
        use_sim_time(*toggled, true);
        const auto fresh = make_node("fresh" + std::to_string(thread));
        const auto handle = watch(*fresh);
        const std::int64_t began = fresh->now().nanoseconds();
        EXPECT_GT(began, 0);
        EXPECT_TRUE(eventually([&] { return fresh->now().nanoseconds() > began; }));
        use_sim_time(*toggled, false);
      }
    });
  }
  for (std::thread & thread : threads) thread.join();
  stop = true;
  source.join();
  EXPECT_EQ(back.size(), 0u);
  EXPECT_EQ(clock_threads().size(), 1u);
}

}  // namespace
}  // namespace takt
