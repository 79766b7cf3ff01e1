// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <diagnostic_msgs/msg/diagnostic_array.hpp>
#include <future>
#include <memory>
#include <mutex>
#include <string>
#include <takt_msgs/srv/inspect.hpp>
#include <takt_msgs/srv/set_scenario.hpp>
#include <thread>

#include "takt/exceptions.hpp"
#include "takt/takt.hpp"
#include "testing/background.hpp"

namespace takt {
namespace {

using namespace std::chrono_literals;
using diagnostic_msgs::msg::DiagnosticArray;
using takt_msgs::srv::Inspect;
using takt_msgs::srv::SetScenario;
using testing::eventually;
using ::testing::HasSubstr;

/// Queries the live view of an executor from another context, as another process would.
class LiveViewTest : public ::testing::Test {
 protected:
  LiveViewTest() {
    asker_ = std::make_shared<Node>("asker", NodeOptions{.context = there_});
    asking_.add(asker_);
    asking_.start();
  }

  template <typename S>
  typename S::Response ask(const std::string & service,
                           const typename S::Request & request = typename S::Request()) {
    const auto client = asker_->create_client<S>(service);
    EXPECT_TRUE(client->wait_for_service(testing::patience)) << service;
    std::shared_future<std::shared_ptr<typename S::Response>> answer;
    const auto answered = [&] {
      // Repeated, because a server drops its response to a client that it has not discovered within
      // 100 ms.
      answer =
          client->async_send_request(std::make_shared<typename S::Request>(request)).future.share();
      return answer.wait_for(1s) == std::future_status::ready;
    };
    if (eventually(answered)) return *answer.get();
    ADD_FAILURE() << service << " does not answer";
    return typename S::Response();
  }

  SchedulingExecutorOptions options(const Diagnostics & diagnostics) const {
    return {.lock_memory = false, .diagnostics = diagnostics, .context = here_};
  }

  std::shared_ptr<Context> here_ = testing::make_context();
  std::shared_ptr<Context> there_ = testing::make_context();
  std::shared_ptr<Node> asker_;
  testing::Background<StockExecutor> asking_{there_};
};

TEST_F(LiveViewTest, ThreadsAboveTheCallbacksAreWatchedWhileSomebodyWantsIt) {
  SchedulingExecutor executor(options({.period = 20ms, .node = "live"}));
  const auto node = std::make_shared<Node>("robot", NodeOptions{.context = here_});
  // A handler of deadline misses makes the timer thread watch the deadlines.
  executor.on_deadline_miss([](const auto &, const std::string &) {});
  const auto fast = node->create_timer("fast", 5ms, [] {});
  const auto slow = node->create_timer("slow", 10ms, [] {});
  executor.add_node(node);
  std::thread spins([&executor] { executor.spin(); });
  EXPECT_EQ(ask<Inspect>("/live/inspect").watched_ns, 0);
  Inspect::Request request;
  request.watch_ns = 200'000'000;
  Inspect::Response answer;
  // Repeated, because the host may keep all of these threads off their CPU for the watched time.
  EXPECT_TRUE(eventually([&] {
    ask<Inspect>("/live/inspect", request);
    EXPECT_TRUE(eventually([&] {
      answer = ask<Inspect>("/live/inspect");
      return answer.watched_ns >= request.watch_ns;
    }));
    int highest = 0;
    for (const auto & thread : answer.threads) {
      if (thread.role == "worker") highest = std::max(highest, thread.priority);
    }
    bool ran = false;
    int above = 0;
    for (const auto & thread : answer.threads) {
      const bool is_above = thread.role != "worker" && thread.priority > highest;
      above += is_above ? 1 : 0;
      const bool watched = thread.longest_run_ns >= 0;
      EXPECT_TRUE(watched == is_above || !answer.watch_error.empty()) << thread.name;
      EXPECT_LE(thread.longest_run_ns, answer.watched_ns) << thread.name;
      ran = ran || thread.longest_run_ns > 0;
    }
    return ran || above == 0 || !answer.watch_error.empty();
  }));
  // Watching ends when the requested time is over.
  EXPECT_EQ(ask<Inspect>("/live/inspect").watched_ns, answer.watched_ns);
  executor.cancel();
  spins.join();
}

TEST_F(LiveViewTest, AnExecutorAnswersWhileItSpins) {
  SchedulingExecutor executor(options({.period = 50ms, .node = "live"}));
  const auto node = std::make_shared<Node>("robot", NodeOptions{.context = here_});
  const auto timer = node->create_timer("work", 5ms, [] {});
  executor.add_node(node);
  std::thread spins([&executor] { executor.spin(); });
  EXPECT_TRUE(eventually([this] {
    const Inspect::Response answer = ask<Inspect>("/live/inspect");
    EXPECT_EQ(answer.pid, static_cast<std::uint32_t>(getpid()));
    for (const auto & task : answer.tasks) {
      if (task.id == "robot/work" && task.recent.jobs > 0) return task.recent.worst_ns > 0;
    }
    return false;
  }));
  const SetScenario::Response answer = ask<SetScenario>("/live/set_scenario");
  EXPECT_FALSE(answer.success);
  EXPECT_THAT(answer.message, HasSubstr("no strategy"));
  const auto client = asker_->create_client<Inspect>("/live/inspect");
  EXPECT_TRUE(client->wait_for_service(testing::patience));
  executor.cancel();
  spins.join();
  EXPECT_TRUE(eventually([&client] { return !client->service_is_ready(); }));
}

TEST_F(LiveViewTest, ItPublishesWhatAHandlerOfDiagnosticsReads) {
  std::atomic<int> heard = 0;
  const auto subscription = asker_->create_subscription<DiagnosticArray>(
      "/diagnostics", 10, [&heard](const DiagnosticArray & message) {
        EXPECT_GT(message.header.stamp.sec, 0);
        EXPECT_EQ(message.status.at(0).name, "live: executor");
        ++heard;
      });
  SchedulingExecutor executor(options({.period = 20ms, .node = "live"}));
  std::thread spins([&executor] { executor.spin(); });
  EXPECT_TRUE(eventually([&heard] { return heard >= 3; }));
  executor.cancel();
  spins.join();
}

TEST_F(LiveViewTest, SpinMayEndAtAnyMoment) {
  for (int round = 0; round < 10; ++round) {
    SchedulingExecutor executor(options({}));
    const auto node = std::make_shared<Node>("robot", NodeOptions{.context = here_});
    // spin() ends at once, or in the first job, when the view's node may not exist yet.
    const auto timer = node->create_timer("work", 1ms, [&executor] { executor.cancel(); });
    if (round % 2 == 0) executor.cancel();
    executor.add_node(node);
    executor.spin();
  }
}

TEST_F(LiveViewTest, SoMayTheContext) {
  const auto context = testing::make_context();
  SchedulingExecutor executor({.lock_memory = false, .context = context});
  const auto node = std::make_shared<Node>("robot", NodeOptions{.context = context});
  const auto timer = node->create_timer("work", 1ms, [&context] { context->shutdown(); });
  executor.add_node(node);
  executor.spin();
  EXPECT_FALSE(context->is_valid());
}

TEST_F(LiveViewTest, WhatKeepsItFromBeingThereIsSaid) {
  std::mutex mutex;
  std::string said;
  SchedulingExecutorOptions wrong = options({.node = "no such name"});
  wrong.log = [&](const std::string & line) {
    const std::lock_guard lock(mutex);
    said += line + "\n";
  };
  SchedulingExecutor executor(wrong);
  std::thread spins([&executor] { executor.spin(); });
  EXPECT_TRUE(eventually([&] {
    const std::lock_guard lock(mutex);
    return said.find("the executor publishes no diagnostics: ") != std::string::npos;
  })) << said;
  executor.cancel();
  spins.join();
}

TEST_F(LiveViewTest, ItsPeriodIsAbove0) {
  EXPECT_THROW(SchedulingExecutor(options({.period = 0ms})), Error);
}

}  // namespace
}  // namespace takt
