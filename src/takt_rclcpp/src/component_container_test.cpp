// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// The container as a launch file would start it: a component is loaded, runs under the strategy,
// and Ctrl-C ends the container.
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/wait.h>

#include <composition_interfaces/srv/unload_node.hpp>
#include <cstdlib>
#include <fstream>
#include <future>
#include <memory>
#include <std_msgs/msg/u_int64.hpp>
#include <string>
#include <takt_msgs/srv/inspect.hpp>
#include <vector>

#include "testing/container.hpp"

namespace takt::rclcpp {
namespace {

using testing::ContainerTest;
using testing::LoadNode;
using UnloadNode = composition_interfaces::srv::UnloadNode;
using takt_msgs::srv::Inspect;
using Message = std_msgs::msg::UInt64;

TEST_F(ContainerTest, BeginsWithoutAFolderForLogFiles) {
  const char * const before = std::getenv("ROS_LOG_DIR");
  const std::string kept = before != nullptr ? before : "";
  setenv("ROS_LOG_DIR", "/dev/null/none", 1);
  start_container({});
  if (before != nullptr) {
    setenv("ROS_LOG_DIR", kept.c_str(), 1);
  } else {
    unsetenv("ROS_LOG_DIR");
  }
  EXPECT_TRUE(testing::eventually([this] {
    return said().find("Set ROS_LOG_DIR to a writable folder") != std::string::npos;
  })) << said();
  const auto node = make_node("asks");
  const auto loader = node->create_client<LoadNode>("/ComponentManager/_container/load_node");
  EXPECT_TRUE(loader->wait_for_service(testing::patience)) << said();
  const int status = end(SIGINT);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status << said();
}

TEST_F(ContainerTest, LoadsAComponentUnderAStrategyAgainAndAgain) {
  std::ofstream(file_) << R"(default: s
scenarios: {s: {policy: np-fp, tasks: {"counter/timer:5ms": {priority: 50}}}}
)";
  start_container({"policy:=np-fp", "strategy:=" + file_});
  const auto node = make_node("asks");
  testing::Watched<int> counts;
  const auto subscription =
      node->create_subscription<Message>("count", 10, [&](const Message &) { counts.add(1); });
  const auto loader = node->create_client<LoadNode>("/ComponentManager/_container/load_node");
  const auto unloader = node->create_client<UnloadNode>("/ComponentManager/_container/unload_node");
  executor_->add_node(node);
  start();
  ASSERT_TRUE(known(*loader, no_component()));
  ASSERT_TRUE(known(*unloader, UnloadNode::Request()));
  for (int i = 0; i < 2; ++i) {
    const auto response = load(*loader);
    ASSERT_NE(response, nullptr);
    ASSERT_TRUE(response->success) << response->error_message;
    EXPECT_EQ(response->full_node_name, "/counter");
    EXPECT_TRUE(counts.wait_for_at_least(counts.get() + 5)) << i;
    // From then on, the strategy file is checked strictly.
    EXPECT_TRUE(testing::eventually([this] {
      return said().find("the strategy fits the loaded components") != std::string::npos;
    })) << said();
    auto unload = std::make_shared<UnloadNode::Request>();
    unload->unique_id = response->unique_id;
    auto unloaded = unloader->async_send_request(unload);
    ASSERT_EQ(unloaded.wait_for(testing::patience), std::future_status::ready);
    EXPECT_TRUE(unloaded.get()->success);
  }
  const int status = end(SIGINT);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status << said();
  stop();
}

TEST_F(ContainerTest, TheScenarioIsAParameter) {
  std::ofstream(file_) << R"(default: rest
scenarios:
  rest: {policy: np-fp, tasks: {"counter/timer:5ms": {suspended: true}}}
  go: {tasks: {"counter/timer:5ms": {priority: 50}}}
)";
  start_container({"policy:=np-fp", "strategy:=" + file_, "diagnostics.node:=view"});
  EXPECT_TRUE(says(", scenario 'rest'")) << said();
  const auto node = make_node("asks");
  testing::Watched<int> counts;
  const auto subscription =
      node->create_subscription<Message>("count", 10, [&](const Message &) { counts.add(1); });
  const auto loader = node->create_client<LoadNode>("/ComponentManager/_container/load_node");
  const auto parameters =
      std::make_shared<::rclcpp::AsyncParametersClient>(node, "/ComponentManager");
  const auto inspector = node->create_client<Inspect>("/view/inspect");
  executor_->add_node(node);
  start();
  ASSERT_TRUE(known(*loader, no_component()));
  ASSERT_TRUE(parameters->wait_for_service(testing::patience));
  ASSERT_TRUE(inspector->wait_for_service(testing::patience));
  const auto response = load(*loader);
  ASSERT_NE(response, nullptr);
  ASSERT_TRUE(response->success) << response->error_message;
  const auto set = [&](const char * scenario) {
    std::shared_future<std::vector<rcl_interfaces::msg::SetParametersResult>> answer;
    EXPECT_TRUE(answered(answer, [&] {
      return parameters->set_parameters({::rclcpp::Parameter("scenario", scenario)});
    }));
    return answer.get().at(0);
  };
  EXPECT_THAT(set("og").reason, ::testing::HasSubstr("no scenario 'og': there are rest, go"));
  // A valid value that is set together with a refused one does not take effect either.
  std::shared_future<rcl_interfaces::msg::SetParametersResult> both;
  EXPECT_TRUE(answered(both, [&] {
    return parameters->set_parameters_atomically({{"scenario", "go"}, {"scenario", "og"}});
  }));
  EXPECT_FALSE(both.get().successful);
  std::shared_future<Inspect::Response::SharedPtr> inspected;
  EXPECT_TRUE(answered(inspected, [&] {
    return inspector->async_send_request(std::make_shared<Inspect::Request>()).future.share();
  }));
  EXPECT_EQ(inspected.get()->scenario, "rest");
  // The component was loaded with what the scenario `rest` says of it: its timer is suspended.
  EXPECT_EQ(counts.get(), 0);
  EXPECT_TRUE(set("go").successful);
  EXPECT_TRUE(counts.wait_for_at_least(5));
  const int status = end(SIGINT);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status << said();
  stop();
}

class ComponentFaultTest : public ContainerTest {
 protected:
  using Answer = std::shared_future<LoadNode::Response::SharedPtr>;

  /// Loads a component whose timer throws, which may end the container before it responds.
  Answer load_faulty(const std::string & rule, const std::string & parameter = "") {
    start_container({"on_exception:=" + rule});
    executor_->add_node(node_);
    start();
    EXPECT_TRUE(known(*loader_, no_component()));
    const auto request = std::make_shared<LoadNode::Request>(no_component());
    request->plugin_name = "takt_test::Faulty";
    if (!parameter.empty()) {
      request->parameters.push_back(::rclcpp::Parameter(parameter, true).to_parameter_msg());
    }
    return loader_->async_send_request(request).future.share();
  }
  void expect_end_with_name(const std::string & thrown) {
    int status = 0;
    waitpid(pid_, &status, 0);
    pid_ = 0;
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 1) << status;
    EXPECT_THAT(said(),
                ::testing::HasSubstr(
                    "exception in callback 'faulty/timer:5ms', which ends spin(): " + thrown));
    stop();
  }

  const ::rclcpp::Node::SharedPtr node_ = make_node("asks");
  const ::rclcpp::Client<LoadNode>::SharedPtr loader_ =
      node_->create_client<LoadNode>("/ComponentManager/_container/load_node");
};

TEST_F(ComponentFaultTest, AnExceptionIsToldByTheNameOfItsCallback) {
  load_faulty("rethrow");
  expect_end_with_name("a fault");
}

TEST_F(ComponentFaultTest, SoIsWhatIsNoException) {
  load_faulty("rethrow", "number");
  expect_end_with_name("an exception that is no std::exception");
}

TEST_F(ComponentFaultTest, ReportedItKeepsTheOthersGoing) {
  const Answer answer = load_faulty("report");
  ASSERT_EQ(answer.wait_for(testing::patience), std::future_status::ready);
  EXPECT_TRUE(answer.get()->success);
  EXPECT_TRUE(says("exception in callback 'faulty/timer:5ms': a fault")) << said();
  testing::Watched<int> counts;
  const auto subscription =
      node_->create_subscription<Message>("count", 10, [&](const Message &) { counts.add(1); });
  ASSERT_NE(load(*loader_), nullptr);
  EXPECT_TRUE(counts.wait_for_at_least(5));
  const int status = end(SIGINT);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status << said();
  stop();
}

TEST_F(ComponentFaultTest, AConstructorsIsAnAnswer) {
  const Answer answer = load_faulty("rethrow", "in_constructor");
  ASSERT_EQ(answer.wait_for(testing::patience), std::future_status::ready);
  EXPECT_FALSE(answer.get()->success);
  ASSERT_NE(load(*loader_), nullptr);
  const int status = end(SIGINT);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status << said();
  stop();
}

TEST_F(ContainerTest, LogsMissesOverrunsAndBudgetsWhereItIsToldTo) {
  std::ofstream(file_) << R"(default: s
scenarios: {s: {tasks: {"counter/timer:5ms": {deadline: 1ms, budget: 1ms}}}}
)";
  start_container(
      {"strategy:=" + file_, "log_misses:=true", "log_overruns:=true", "log_budgets:=true"});
  const auto loader = start_asking();
  ASSERT_NE(loader, nullptr);
  ASSERT_NE(load(*loader, "takt_test::Counter", "", {{"busy_ms", 7}}), nullptr);
  for (const char * what : {"has missed its deadline", "was released before its last job ended",
                            "has used up its budget"}) {
    EXPECT_TRUE(says("callback 'counter/timer:5ms' " + std::string(what))) << said();
  }
  const int status = end(SIGINT);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status << said();
  stop();
}

TEST_F(ContainerTest, AStrategyThatIsNotThereIsOneLineAndStatus1) {
  start_container({"strategy:=/no/such/file.yaml"});
  int status = 0;
  waitpid(pid_, &status, 0);
  pid_ = 0;
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 1);
  EXPECT_THAT(said(), ::testing::HasSubstr("/no/such/file.yaml"));
}

TEST_F(ContainerTest, ATaskThatNoComponentHasIsToldAfterAWhile) {
  std::ofstream(file_) << R"(default: s
scenarios: {s: {tasks: {"nobody/timer:5ms": {priority: 50}}}}
)";
  start_container({"strategy:=" + file_, "strategy_check_after:=0.5"});
  EXPECT_TRUE(says("nobody/timer:5ms: there is no such task")) << said();
  const int status = end(SIGINT);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status << said();
}

TEST_F(ContainerTest, AndTakenBackWhenItHasCome) {
  std::ofstream(file_) << R"(default: s
scenarios: {s: {tasks: {"counter/timer:5ms": {priority: 50}}}}
)";
  start_container({"strategy:=" + file_, "strategy_check_after:=0.1"});
  const auto loader = start_asking();
  ASSERT_NE(loader, nullptr);
  EXPECT_TRUE(says("counter/timer:5ms: there is no such task")) << said();
  ASSERT_NE(load(*loader), nullptr);
  EXPECT_TRUE(says("the strategy fits the loaded components; what was missing has been loaded"))
      << said();
  const int status = end(SIGINT);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status << said();
  stop();
}

}  // namespace
}  // namespace takt::rclcpp
