// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// The live views of an executor of rclcpp nodes and of the container are like those of takt's
// nodes.
#include <gmock/gmock.h>

#include <sys/wait.h>
#include <unistd.h>
#include <algorithm>
#include <atomic>
#include <diagnostic_msgs/msg/diagnostic_array.hpp>
#include <memory>
#include <string>
#include <takt_msgs/srv/inspect.hpp>
#include <takt_msgs/srv/set_scenario.hpp>

#include "takt_core/tasks/error.hpp"
#include "testing/container.hpp"
#include "testing/outside.hpp"

namespace takt::rclcpp {
namespace {

using namespace std::chrono_literals;
using diagnostic_msgs::msg::DiagnosticArray;
using takt_msgs::msg::TaskState;
using takt_msgs::srv::Inspect;
using takt_msgs::srv::SetScenario;
using ::testing::HasSubstr;

/// Queries live views from another context, as another process would.
class LiveViewTest : public testing::ContainerTest {
 protected:
  LiveViewTest() { outside_.begin(); }
  ~LiveViewTest() override {
    stop();
    outside_.end();
  }

  template <typename S>
  typename S::Response ask(const std::string & service,
                           const typename S::Request & request = typename S::Request()) {
    const auto client = asker_->create_client<S>(service);
    EXPECT_TRUE(client->wait_for_service(testing::patience)) << service;
    std::shared_future<typename S::Response::SharedPtr> answer;
    const bool came = answered(answer, [&] {
      return client->async_send_request(std::make_shared<typename S::Request>(request))
          .future.share();
    });
    if (came) return *answer.get();
    ADD_FAILURE() << service << " does not answer";
    return typename S::Response();
  }
  /// Waits until the task has had a job in a period of the diagnostics, and returns its state.
  TaskState task_that_worked(const std::string & service, const std::string & name) {
    TaskState found;
    EXPECT_TRUE(testing::eventually([&] {
      for (const TaskState & task : ask<Inspect>(service).tasks) {
        if (task.id == name) found = task;
      }
      return found.recent.jobs > 0;
    })) << name;
    return found;
  }

  testing::Outside outside_{"asker"};
  const ::rclcpp::Node::SharedPtr asker_ = outside_.node();
};

TEST_F(LiveViewTest, WhatRunsIsInspectedWhileItSpins) {
  make_executor({.diagnostics = {.period = 50ms, .node = "live"}});
  const auto node = make_node("robot");
  const auto timer = node->create_wall_timer(5ms, [] {});
  executor_->set_task(timer, {.priority = 40});
  executor_->add_node(node);
  start();
  const TaskState task = task_that_worked("/live/inspect", "robot/timer:5ms");
  EXPECT_GT(task.recent.worst_ns, 0);
  EXPECT_EQ(task.period_ns, 5'000'000);
  EXPECT_EQ(task.priority, 40);
  EXPECT_EQ(task.node, "/robot");
  const Inspect::Response all = ask<Inspect>("/live/inspect");
  EXPECT_EQ(all.pid, static_cast<std::uint32_t>(getpid()));
  EXPECT_EQ(all.period_ns, 50'000'000);
  EXPECT_THAT(all.nodes, ::testing::Contains("/robot"));
  EXPECT_TRUE(std::any_of(all.threads.begin(), all.threads.end(),
                          [](const auto & thread) { return thread.role == "worker"; }));
  const auto client = asker_->create_client<Inspect>("/live/inspect");
  EXPECT_TRUE(client->wait_for_service(testing::patience));
  stop();
  EXPECT_TRUE(testing::eventually([&client] { return !client->service_is_ready(); }));
  // When the executor spins again, the view exists again.
  start();
  task_that_worked("/live/inspect", "robot/timer:5ms");
  stop();
}

TEST_F(LiveViewTest, DiagnosticsNameExhaustedBudgetsAndHandlersAreTold) {
  std::atomic<int> told = 0;
  make_executor({.on_exhausted_budget = [&told](const auto &, const std::string &) { ++told; },
                 .diagnostics = {.period = 20ms, .node = "live"}});
  std::atomic<bool> seen = false;
  const auto subscription = asker_->create_subscription<DiagnosticArray>(
      "/diagnostics", 10, [&seen](const DiagnosticArray & message) {
        EXPECT_EQ(message.status.at(0).name, "live: executor");
        EXPECT_GT(message.header.stamp.sec, 0);
        for (const auto & status : message.status) {
          if (status.name != "live: robot/timer:10ms") continue;
          if (status.message.find("budgets used up") != std::string::npos) seen = true;
        }
      });
  const auto node = make_node("robot");
  const auto timer = node->create_wall_timer(10ms, [] { testing::busy_for(3ms); });
  executor_->set_task(timer, {.budget = 1ms});
  executor_->add_node(node);
  start();
  EXPECT_TRUE(testing::eventually([&] { return seen && told > 0; })) << seen << " " << told;
  stop();
}

TEST_F(LiveViewTest, ScenariosAreRequestedThere) {
  std::ofstream(file_) << R"(
default: drive
scenarios:
  drive: {tasks: {"robot/timer:5ms": {priority: 50}}}
  dock: {tasks: {"robot/timer:5ms": {priority: 60}}}
)";
  make_executor({.policy = "fp", .diagnostics = {.period = 50ms, .node = "live"}});
  const auto node = make_node("robot");
  const auto timer = node->create_wall_timer(5ms, [] {});
  executor_->add_node(node);
  executor_->load_strategy(file_);
  start();
  SetScenario::Request request;
  request.name = "dock";
  EXPECT_TRUE(ask<SetScenario>("/live/set_scenario", request).success);
  EXPECT_TRUE(testing::eventually([this] { return executor_->scenario() == "dock"; }));
  request.name = "fly";
  const SetScenario::Response refused = ask<SetScenario>("/live/set_scenario", request);
  EXPECT_FALSE(refused.success);
  EXPECT_THAT(refused.message, HasSubstr("fly"));
  stop();
}

TEST_F(LiveViewTest, SpinningMayEndAtAnyMomentAndSoMayTheContext) {
  for (int round = 0; round < 10; ++round) {
    make_executor({.diagnostics = {.node = "live"}});
    const auto node = make_node("robot");
    // spin() ends at once, or when the view's node is about to be created.
    const auto length = round % 2 == 0 ? 1ms : 52ms;
    const auto timer = node->create_wall_timer(length, [this] { executor_->cancel(); });
    executor_->add_node(node);
    executor_->spin();
  }
  make_executor({.diagnostics = {.node = "live"}});
  const auto node = make_node("robot");
  const auto timer = node->create_wall_timer(60ms, [this] { context_->shutdown("over"); });
  executor_->add_node(node);
  executor_->spin();
  EXPECT_FALSE(context_->is_valid());
  EXPECT_THAT(log(), ::testing::Not(::testing::Contains(HasSubstr("publishes no diagnostics"))));
}

TEST_F(LiveViewTest, WhatKeepsItFromBeingThereIsSaid) {
  make_executor({.diagnostics = {.node = "no such name"}});
  start();
  EXPECT_TRUE(testing::eventually([this] {
    const auto lines = log();
    return std::any_of(lines.begin(), lines.end(), [](const std::string & line) {
      return line.find("the executor publishes no diagnostics: ") != std::string::npos;
    });
  }));
  stop();
  EXPECT_THROW(make_executor({.diagnostics = {.period = 0ms}}), Error);
}

TEST_F(LiveViewTest, AContainerShowsItselfAndItsComponents) {
  start_container({"diagnostics.node:=container_view", "diagnostics.period:=100ms"});
  make_executor({});
  const auto loader = start_asking();
  ASSERT_NE(loader, nullptr);
  ASSERT_NE(load(*loader), nullptr);
  const TaskState task = task_that_worked("/container_view/inspect", "counter/timer:5ms");
  EXPECT_EQ(task.node, "/counter");
  EXPECT_EQ(ask<Inspect>("/container_view/inspect").pid, static_cast<std::uint32_t>(pid_));
  const int status = end(SIGINT);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status << said();
  stop();
}

}  // namespace
}  // namespace takt::rclcpp
