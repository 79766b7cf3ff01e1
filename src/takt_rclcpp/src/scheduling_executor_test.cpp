// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt_rclcpp/scheduling_executor.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <std_msgs/msg/u_int64.hpp>
#include <stdexcept>
#include <string>
#include <test_msgs/srv/empty.hpp>
#include <thread>

#include "takt_core/os/clock.hpp"
#include "takt_core/os/rights.hpp"
#include "takt_core/os/threads.hpp"
#include "takt_core/tasks/error.hpp"
#include "testing/background.hpp"

namespace takt::rclcpp {
namespace {

using namespace std::chrono_literals;
using ::testing::Contains;
using ::testing::ElementsAre;
using testing::eventually;
using testing::ExecutorTest;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;
using testing::Watched;
using Message = std_msgs::msg::UInt64;
using Empty = test_msgs::srv::Empty;

class SchedulingExecutorTest : public ExecutorTest {};

TEST_F(SchedulingExecutorTest, RunsATimer) {
  const auto node = make_node("a");
  Watched<int> calls;
  const auto timer = node->create_wall_timer(1ms, [&] { calls.add(1); });
  executor_->add_node(node);
  start();
  EXPECT_TRUE(calls.wait_for_at_least(5));
  stop();
}

TEST_F(SchedulingExecutorTest, SpinsInPiecesWithTheThreadsOfTheFirst) {
  const auto node = make_node("a");
  Watched<int> calls;
  const auto timer = node->create_wall_timer(1ms, [&] {
    calls.add(1);
    executor_->cancel();
  });
  executor_->add_node(node);
  std::vector<int> first;
  for (int piece = 1; piece <= 5; ++piece) {
    executor_->spin();
    EXPECT_GE(calls.get(), piece);
    const Grants grants = executor_->grants();
    std::vector<int> threads;
    for (const auto & each : grants.threads) {
      if (each.role == "worker" || each.role == "timer") threads.push_back(each.tid);
    }
    if (piece == 1) first = threads;
    // If rights were refused, each spin() asks for them again, with new threads.
    if (grants.realtime) {
      EXPECT_EQ(threads, first);
    }
  }
}

TEST_F(SchedulingExecutorTest, PiecesOfMillisecondsServe) {
  const auto node = make_node("a");
  Watched<int> calls;
  const auto timer = node->create_wall_timer(1ms, [&] { calls.add(1); });
  executor_->add_node(node);
  // If each spin() ended before it ran any callback, repeating it would not help.
  for (int piece = 0; piece < 1000 && calls.get() == 0; ++piece) {
    const model::Time end = os::now() + 5'000'000;
    std::thread canceling([&] {
      os::sleep_until(end);
      executor_->cancel();
    });
    executor_->spin();
    canceling.join();
  }
  EXPECT_GT(calls.get(), 0);
}

/// Memory is locked once. Locking it in each spin() would take longer than one of these calls
/// lasts.
TEST_F(SchedulingExecutorTest, PiecesOfMillisecondsServeWithMemoryLocked) {
  ::rclcpp::ExecutorOptions of_rclcpp;
  of_rclcpp.context = context_;
  SchedulingExecutor executor(of_rclcpp, {.diagnostics = {.enabled = false}});
  const auto node = make_node("a");
  Watched<int> calls;
  const auto timer = node->create_wall_timer(1ms, [&] { calls.add(1); });
  executor.add_node(node);
  for (int piece = 0; piece < 1000 && calls.get() == 0; ++piece) {
    const model::Time end = os::now() + 5'000'000;
    std::thread canceling([&] {
      os::sleep_until(end);
      executor.cancel();
    });
    executor.spin();
    canceling.join();
  }
  EXPECT_GT(calls.get(), 0);
}

TEST_F(SchedulingExecutorTest, ACallbackHasAsMuchStackAsItIsGiven) {
  EXPECT_THROW(one_more({.stack_size = 1000}), Error);
  EXPECT_THROW(one_more({.thread_roles = {{"", {}}}}), Error);
  make_executor({.stack_size = std::size_t{16} << 20});
  const auto node = make_node("a");
  const auto timer = node->create_wall_timer(1ms, [this] {
    volatile char deep[std::size_t{12} << 20];
    for (std::size_t at = sizeof deep; at > 1024; at -= 1024) deep[at - 1] = 1;
    executor_->cancel();
  });
  executor_->add_node(node);
  executor_->spin();
}

TEST_F(SchedulingExecutorTest, AThreadThatACallbackStartsIsToldOrMayUseAllCpus) {
  if (os::allowed_cpus().size() < 2) GTEST_SKIP() << "needs two CPUs";
  for (const bool widen : {false, true}) {
    make_executor({.widen_started_threads = widen});
    const auto node = make_node("a");
    Watched<int> tid;
    Watched<int> end;
    std::thread thread;
    const auto timer = node->create_wall_timer(1ms, [&] {
      if (thread.joinable()) return;
      thread = std::thread([&] {
        tid.set(os::thread_id());
        end.wait_for_at_least(1);
      });
    });
    executor_->add_node(node);
    start();
    EXPECT_TRUE(tid.wait_for_at_least(1));
    EXPECT_TRUE(eventually([&] {
      if (widen) return os::pinned_cpu(tid.get()) < 0;
      const auto lines = log();
      return std::any_of(lines.begin(), lines.end(), [](const std::string & line) {
        return line.find("a thread without a name of its own, started by a callback") == 0;
      });
    }));
    end.set(1);
    stop();
    executor_->remove_node(node);
    thread.join();
  }
}

TEST_F(SchedulingExecutorTest, DeliversMessages) {
  const auto node = make_node("a");
  Watched<std::vector<std::uint64_t>> seen;
  const auto subscription =
      node->create_subscription<Message>("topic", 10, [&](const Message & message) {
        auto all = seen.get();
        all.push_back(message.data);
        seen.set(all);
      });
  const auto publisher = node->create_publisher<Message>("topic", 10);
  executor_->add_node(node);
  start();
  ASSERT_TRUE(testing::eventually([&] { return subscription->get_publisher_count() > 0; }));
  for (std::uint64_t i = 1; i <= 3; ++i) {
    Message message;
    message.data = i;
    publisher->publish(message);
  }
  EXPECT_TRUE(testing::eventually([&] { return seen.get().size() >= 3; }));
  EXPECT_THAT(seen.get(), ElementsAre(1, 2, 3));
  stop();
}

TEST_F(SchedulingExecutorTest, DeliversMessagesInsideTheProcess) {
  const auto node = make_node("a", ::rclcpp::NodeOptions().use_intra_process_comms(true));
  Watched<int> seen;
  const Message * sent = nullptr;
  const Message * received = nullptr;
  const auto subscription =
      node->create_subscription<Message>("topic", 10, [&](Message::UniquePtr message) {
        received = message.get();
        seen.add(1);
      });
  const auto publisher = node->create_publisher<Message>("topic", 10);
  executor_->add_node(node);
  start();
  auto message = std::make_unique<Message>();
  sent = message.get();
  publisher->publish(std::move(message));
  EXPECT_TRUE(seen.wait_for_at_least(1));
  EXPECT_EQ(received, sent);
  stop();
}

TEST_F(SchedulingExecutorTest, AnswersRequests) {
  const auto node = make_node("a");
  const auto service = node->create_service<Empty>(
      "ask", [](Empty::Request::SharedPtr, Empty::Response::SharedPtr) {});
  const auto client = node->create_client<Empty>("ask");
  executor_->add_node(node);
  start();
  ASSERT_TRUE(client->wait_for_service(testing::patience));
  auto future = client->async_send_request(std::make_shared<Empty::Request>());
  EXPECT_EQ(future.wait_for(testing::patience), std::future_status::ready);
  stop();
}

TEST_F(SchedulingExecutorTest, EntitiesComeAndGoWhileItSpins) {
  const auto node = make_node("a");
  executor_->add_node(node);
  start();
  Watched<int> calls;
  auto timer = node->create_wall_timer(1ms, [&] { calls.add(1); });
  EXPECT_TRUE(calls.wait_for_at_least(2));
  EXPECT_THAT(tasks(), Contains("a/timer:1ms"));
  timer.reset();
  EXPECT_TRUE(testing::eventually([&] { return !has("a/timer:1ms"); }));
  const auto later = make_node("b");
  Watched<int> others;
  const auto other = later->create_wall_timer(1ms, [&] { others.add(1); });
  executor_->add_node(later);
  EXPECT_TRUE(others.wait_for_at_least(2));
  executor_->remove_node(later);
  EXPECT_TRUE(testing::eventually([&] { return !has("b/timer:1ms"); }));
  stop();
}

TEST_F(SchedulingExecutorTest, TasksHaveNames) {
  const auto node = std::make_shared<::rclcpp::Node>(
      "a", "space", ::rclcpp::NodeOptions().context(context_).start_parameter_services(false));
  const auto nothing = [] {};
  const auto fast = node->create_wall_timer(20ms, nothing);
  const auto again = node->create_wall_timer(20ms, nothing);
  const auto slow = node->create_wall_timer(1500us, nothing);
  const auto hear = [](const Message &) {};
  const auto relative = node->create_subscription<Message>("scan", 1, hear);
  const auto absolute = node->create_subscription<Message>("/map", 1, hear);
  const auto own = node->create_subscription<Message>("~/cmd", 1, hear);
  executor_->add_node(node);
  start();
  EXPECT_TRUE(testing::eventually([&] { return executor_->processor().spinning(); }));
  EXPECT_THAT(tasks(),
              IsSupersetOf({"space/a/timer:20ms", "space/a/timer:20ms#2", "space/a/timer:1500us",
                            "space/a/scan", "space/a/map", "space/a/cmd"}));
  EXPECT_EQ(executor_->task_name(again), "space/a/timer:20ms#2");
  EXPECT_EQ(executor_->task_name(own), "space/a/cmd");
  EXPECT_EQ(executor_->task_name(node), "");
  stop();
}

TEST_F(SchedulingExecutorTest, SpinsOnceAtATimeAndAgain) {
  const auto node = make_node("a");
  Watched<int> calls;
  const auto timer = node->create_wall_timer(1ms, [&] { calls.add(1); });
  executor_->add_node(node);
  start();
  EXPECT_TRUE(calls.wait_for_at_least(1));
  EXPECT_TRUE(executor_->is_spinning());
  EXPECT_THROW(executor_->spin(), std::runtime_error);
  EXPECT_THROW(executor_->spin_some(), std::runtime_error);
  stop();
  EXPECT_FALSE(executor_->is_spinning());
  executor_->spin_once(testing::patience);
  const int before = calls.get();
  start();
  EXPECT_TRUE(calls.wait_for_at_least(before + 2));
  stop();
}

TEST_F(SchedulingExecutorTest, ACallbacksExceptionEndsSpin) {
  const auto node = make_node("a");
  const auto timer = node->create_wall_timer(1ms, [] { throw std::logic_error("a fault"); });
  executor_->add_node(node);
  EXPECT_THROW(executor_->spin(), std::logic_error);
  EXPECT_THAT(log(), Contains(HasSubstr("'a/timer:1ms', which ends spin(): a fault")));
}

TEST_F(SchedulingExecutorTest, WhatIsThrownNeedBeNoException) {
  const auto node = make_node("a");
  const auto timer = node->create_wall_timer(1ms, [] { throw 1; });
  executor_->add_node(node);
  EXPECT_THROW(executor_->spin(), int);
  EXPECT_THAT(log(), Contains(HasSubstr("'a/timer:1ms', which ends spin(): an exception")));
}

TEST_F(SchedulingExecutorTest, OrIsToldAndItGoesOn) {
  make_executor({.on_exception = OnException::report});
  const auto node = make_node("a");
  Watched<int> calls;
  const auto timer = node->create_wall_timer(1ms, [&] {
    calls.add(1);
    throw std::logic_error("a fault");
  });
  executor_->add_node(node);
  start();
  EXPECT_TRUE(calls.wait_for_at_least(3));
  stop();
  EXPECT_GE(executor_->statistics().exceptions, 3u);
  EXPECT_THAT(log(), Contains(HasSubstr("a fault")));
}

TEST_F(SchedulingExecutorTest, ShutdownEndsSpin) {
  const auto node = make_node("a");
  const auto timer = node->create_wall_timer(1ms, [&] { context_->shutdown("by a callback"); });
  executor_->add_node(node);
  executor_->spin();
  EXPECT_FALSE(executor_->is_spinning());
}

}  // namespace
}  // namespace takt::rclcpp
