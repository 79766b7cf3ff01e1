// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// A SchedulingExecutor on several CPUs: what its processors share, and what is passed between them.
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <set>
#include <std_msgs/msg/u_int64.hpp>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
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
using testing::SeveralProcessorsTest;
using testing::two_cpus;

// ---- exchange -----------------------------------------------------------------------------------

TEST_F(SeveralProcessorsTest, MessagesBetweenProcessorsGoByPointerAndNoneIsLost) {
  const auto from = node("from", 0);
  const auto to = node("to", 1);
  constexpr std::uint64_t count = 500;
  const auto there = from->create_publisher<UInt64>("there", 4);
  const auto back = to->create_publisher<UInt64>("back", 4);
  std::atomic<const void *> sent = nullptr;
  Seen<std::uint64_t> arrived;
  const auto send = [&](std::uint64_t number) {
    auto message = there->borrow_loaned_message();
    message->data = number;
    sent = &message.get();
    there->publish(std::move(message));
  };
  const auto at_to = to->create_subscription<UInt64>(
      "there", 4, [&](const std::shared_ptr<const UInt64> & message, const MessageInfo & info) {
        EXPECT_EQ(message.get(), sent.load());
        EXPECT_TRUE(info.from_intra_process);
        places_.note("to/there");
        back->publish(*message);
      });
  const auto at_from = from->create_subscription<UInt64>("back", 4, [&](const UInt64 & message) {
    places_.note("from/back");
    arrived.add(message.data);
    if (message.data < count) send(message.data + 1);
  });
  const auto begin = from->create_timer("begin", 1h, [&] { send(1); });
  executor_->add_node(from);
  executor_->add_node(to);
  start();
  const auto numbers = arrived.wait_for(count);
  ASSERT_EQ(numbers.size(), count);
  for (std::uint64_t i = 0; i < count; ++i) EXPECT_EQ(numbers[i], i + 1);
  check_places();
  const Statistics statistics = executor_->statistics();
  EXPECT_GE(statistics.crossings, 2 * count - 1);
  EXPECT_GT(statistics.longest_lock_hold_ns, 0);
}

TEST_F(SeveralProcessorsTest, ATimerReadsWhatAnotherProcessorPublishes) {
  const auto from = node("from", 0);
  const auto to = node("to", 1);
  const auto publisher = from->create_publisher<UInt64>("topic", 1);
  std::atomic<std::uint64_t> published = 0;
  const auto producer = from->create_timer("produce", 1ms, [&] {
    UInt64 message;
    message.data = published + 1;
    publisher->publish(message);
    ++published;
    places_.note("from/produce");
  });
  std::uint64_t latest = 0;
  const auto subscription =
      to->create_subscription<UInt64>("topic", 1, [&](const UInt64 & message) {
        EXPECT_GT(message.data, latest);
        latest = message.data;
      });
  const auto consumer = to->create_timer("consume", 2ms, {.reads = {{subscription}}},
                                         [&] { places_.note("to/consume"); });
  executor_->add_node(from);
  executor_->add_node(to);
  start();
  EXPECT_TRUE(ran("to/consume", 100));
  EXPECT_TRUE(ran("from/produce", 100));
  stop();
  check_places();
  EXPECT_GT(latest, 0u);
  EXPECT_LE(latest, published);
  // A subscription that is only read releases no job, so no release crosses between the processors.
  EXPECT_EQ(executor_->statistics().crossings, 0u);
}

// ---- changes ------------------------------------------------------------------------------------

TEST_F(SeveralProcessorsTest, NodesComeAndGoWhileSpinning) {
  executor_->add_node(ticking("stays", {.processor = 0}));
  start();
  std::vector<std::thread> users;
  for (const std::size_t processor : {0u, 1u}) {
    users.emplace_back([&, processor] {
      const std::string name = "guest" + std::to_string(processor);
      const auto guest = node(name, processor);
      const auto publisher = guest->create_publisher<UInt64>("talk", 4);
      const auto subscription = guest->create_subscription<UInt64>(
          "talk", 4, [&, name](const UInt64 &) { places_.note(name + "/talk"); });
      const auto timer = guest->create_timer("tick", 1ms, [&, name] {
        places_.note(name + "/tick");
        publisher->publish(UInt64());
      });
      for (int round = 0; round < 15; ++round) {
        const int before = places_.jobs(name + "/talk");
        executor_->add_node(guest);
        EXPECT_TRUE(ran(name + "/talk", before + 5));
        executor_->remove_node(guest);
        const int after = places_.jobs(name + "/tick");
        const auto other = guest->create_timer("other", 1ms, [] {});
        EXPECT_EQ(places_.jobs(name + "/tick"), after) << "a job ran after the node was removed";
      }
    });
  }
  for (auto & user : users) user.join();
  EXPECT_TRUE(ran("stays/tick", 30));
  for (const std::size_t processor : {0u, 1u}) {
    const std::string name = "guest" + std::to_string(processor);
    if (executor_->grants().pinned) {
      EXPECT_EQ(places_.cpus(name + "/tick"), std::set<int>{two_cpus()[processor]});
    }
  }
}

TEST_F(SeveralProcessorsTest, WhatComesWhileSpinningGoesToItsGroupOrWhereThereIsRoom) {
  const auto a = ticking("a", {.wcet = 1ms});
  executor_->add_node(a);
  start();
  EXPECT_TRUE(ran("a/tick"));
  const std::size_t home = placement().at("a/tick");
  const auto b = ticking("b", {.wcet = 100us});
  executor_->add_node(b);
  EXPECT_EQ(placement().at("b/tick"), 1 - home);
  const auto more = a->create_timer("more", 2ms, [this] { places_.note("a/more"); });
  EXPECT_EQ(placement().at("a/more"), home);
  EXPECT_TRUE(ran("a/more"));
  EXPECT_NE(error_of([&] { a->create_timer("elsewhere", 2ms, {.processor = 1 - home}, [] {}); }),
            "");
  // A callback may create a timer as well.
  Seen<std::shared_ptr<Timer>> made;
  const auto once = b->create_timer("once", 2ms, [&] {
    if (made.size() > 0) return;
    made.add(a->create_timer("made", 2ms, [this] { places_.note("a/made"); }));
  });
  EXPECT_EQ(made.wait_for(1).size(), 1u);
  EXPECT_TRUE(ran("a/made"));
  EXPECT_EQ(placement().at("a/made"), home);
  stop();
  // The placement is kept when the executor spins again.
  const auto where = placement();
  start();
  EXPECT_TRUE(ran("a/tick", places_.jobs("a/tick") + 5));
  EXPECT_EQ(placement(), where);
  check_places();
}

TEST_F(SeveralProcessorsTest, AllShareTheGrid) {
  const model::Time t0 = os::now() + 20'000'000;
  Seen<std::pair<std::size_t, model::Time>> releases;
  std::vector<std::shared_ptr<Node>> nodes;
  for (const std::size_t processor : {0u, 1u}) {
    nodes.push_back(node("n" + std::to_string(processor), processor));
    timers_.push_back(
        nodes.back()->create_timer("tick", 3ms, [&releases, processor](const JobInfo & job) {
          releases.add({processor, job.release - static_cast<model::Time>(job.index) * 3'000'000});
        }));
    executor_->add_node(nodes.back());
  }
  executor_->set_start(t0);
  start();
  for (const auto & [processor, start] : releases.wait_for(20)) EXPECT_EQ(start, t0);
  stop();
}

// ---- scenarios ----------------------------------------------------------------------------------

TEST_F(SeveralProcessorsTest, AScenarioHoldsOnAllProcessors) {
  const auto a = ticking("a", {.processor = 0}, 1h);
  const auto b = ticking("b", {.processor = 1}, 1h);
  executor_->add_node(a);
  executor_->add_node(b);
  auto slow = SchedulingScenario("slow");
  auto fast = SchedulingScenario("fast");
  for (const char * task : {"a/tick", "b/tick"}) {
    slow.set_task(task, {.period = 1h});
    fast.set_task(task, {.period = 1ms});
  }
  auto strategy = std::make_shared<SchedulingStrategy>();
  strategy->add_scenario(slow);
  strategy->add_scenario(fast);
  strategy->set_default_scenario("slow");
  executor_->set_scheduling_strategy(strategy);
  start();
  EXPECT_TRUE(ran("a/tick", 1));
  EXPECT_TRUE(ran("b/tick", 1));
  EXPECT_EQ(executor_->scenario(), "slow");
  executor_->request_scenario("fast");
  EXPECT_TRUE(ran("a/tick", 20));
  EXPECT_TRUE(ran("b/tick", 20));
  EXPECT_EQ(executor_->scenario(), "fast");
  for (const std::size_t i : {0u, 1u}) {
    EXPECT_EQ(executor_->processor(i).statistics().scenario_switches, 1u);
  }
  EXPECT_EQ(executor_->statistics().scenario_switches, 1u);
  EXPECT_GT(executor_->statistics().last_switch_ns, 0);
  // A request from a callback on one processor takes effect on both.
  const auto asks = a->create_timer("asks", 2ms, [&] { a->request_scenario("slow"); });
  const ScenarioId number = executor_->scenario_number("slow");
  EXPECT_TRUE(testing::eventually([&] {
    return executor_->processor(0).statistics().scenario == number &&
           executor_->processor(1).statistics().scenario == number;
  }));
  // A node that is added to one processor does not change the scenario.
  const auto c = ticking("c", {.processor = 1});
  executor_->add_node(c);
  EXPECT_TRUE(ran("c/tick"));
  EXPECT_EQ(executor_->scenario(), "slow");
}

// ---- faults -------------------------------------------------------------------------------------

TEST_F(SeveralProcessorsTest, ACallbackThatBlocksHoldsUpItsOwnProcessorAlone) {
  const auto a = node("a", 0);
  std::mutex mutex;
  std::unique_lock held(mutex);
  Seen<bool> blocks;
  const auto blocking = a->create_timer("blocks", 1h, [&] {
    blocks.add(true);
    const std::lock_guard wait(mutex);
  });
  const auto b = ticking("b", {.processor = 1});
  executor_->add_node(a);
  executor_->add_node(b);
  start();
  EXPECT_EQ(blocks.wait_for(1).size(), 1u);
  EXPECT_TRUE(ran("b/tick", places_.jobs("b/tick") + 50));
  held.unlock();
}

TEST_F(SeveralProcessorsTest, AnExceptionOnOneComesOutOfSpin) {
  const auto a = ticking("a", {.processor = 0});
  const auto b = node("b", 1);
  const auto throws = b->create_timer("throws", 1ms, [&] {
    if (places_.jobs("a/tick") > 5) throw std::domain_error("mine");
  });
  executor_->add_node(a);
  executor_->add_node(b);
  EXPECT_THROW(executor_->spin(), std::domain_error);
  EXPECT_FALSE(executor_->spinning());
}

TEST_F(SeveralProcessorsTest, MissesOfAllAreTold) {
  std::atomic<int> inside = 0;
  Seen<std::string> missed;
  executor_->on_deadline_miss([&](const Miss &, const std::string & callback) {
    EXPECT_EQ(++inside, 1);
    missed.add(callback);
    --inside;
  });
  const auto a = ticking("a", {.deadline = 1ns, .processor = 0});
  const auto b = ticking("b", {.deadline = 1ns, .processor = 1});
  executor_->add_node(a);
  executor_->add_node(b);
  start();
  EXPECT_TRUE(missed.wait_for_value("a/tick"));
  EXPECT_TRUE(missed.wait_for_value("b/tick"));
  stop();
  EXPECT_GE(executor_->counters("a/tick").missed, 1u);
  EXPECT_GE(executor_->counters("b/tick").missed, 1u);
}

TEST_F(SeveralProcessorsTest, CancelFromACallbackOfAnyEndsAll) {
  for (const std::size_t processor : {1u, 0u}) {
    auto each = node("n" + std::to_string(processor), processor);
    timers_.push_back(each->create_timer("cancel", 2ms, [this] { executor_->cancel(); }));
    executor_->add_node(each);
    executor_->spin();
    executor_->remove_node(each);
  }
  const auto uses = executor_->statistics();
  EXPECT_GE(uses.jobs, 2u);
  executor_->cancel();
  executor_->spin();  // at once
  EXPECT_EQ(executor_->statistics().jobs, uses.jobs);
}

}  // namespace
}  // namespace takt
