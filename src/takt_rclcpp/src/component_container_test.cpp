// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// The container as a launch file would start it: a component is loaded, runs under the strategy, and
// Ctrl-C ends all.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <composition_interfaces/srv/load_node.hpp>
#include <composition_interfaces/srv/unload_node.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <std_msgs/msg/u_int64.hpp>
#include <string>
#include <vector>

#include "testing/background.hpp"

using namespace std::chrono_literals;

namespace takt::rclcpp {
namespace {

using LoadNode = composition_interfaces::srv::LoadNode;
using UnloadNode = composition_interfaces::srv::UnloadNode;
using Message = std_msgs::msg::UInt64;

class ContainerTest : public testing::ExecutorTest {
 protected:
  ~ContainerTest() override {
    if (pid_ > 0) {
      kill(pid_, SIGKILL);
      waitpid(pid_, nullptr, 0);
    }
    std::filesystem::remove(file_);
    std::filesystem::remove(log_);
  }

  void start_container(const std::vector<std::string> & parameters) {
    const char * prefixes = std::getenv("AMENT_PREFIX_PATH");
    setenv("AMENT_PREFIX_PATH",
           (std::string(TAKT_TEST_PREFIX ":") + (prefixes != nullptr ? prefixes : "")).c_str(), 1);
    std::vector<std::string> words{TAKT_TEST_CONTAINER, "--ros-args"};
    for (const std::string & parameter : parameters) {
      words.emplace_back("-p");
      words.push_back(parameter);
    }
    std::vector<char *> arguments;
    for (std::string & word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, log_.c_str(),
                                     O_CREAT | O_WRONLY | O_TRUNC, 0600);
    ASSERT_EQ(posix_spawn(&pid_, TAKT_TEST_CONTAINER, &actions, nullptr, arguments.data(), environ),
              0);
    posix_spawn_file_actions_destroy(&actions);
  }
  /// Calls a service by `send`, again each second until a call is answered: a server drops what it
  /// answers to a client that it has not found within 100 ms.
  template <typename Answer, typename Send>
  static bool answered(Answer & answer, const Send & send) {
    return testing::eventually([&] {
      answer = send();
      return answer.wait_for(1s) == std::future_status::ready;
    });
  }
  /// Waits until the container knows the client, by a request that changes nothing.
  template <typename S>
  static bool known(::rclcpp::Client<S> & client, const typename S::Request & harmless) {
    if (!client.wait_for_service(testing::patience)) return false;
    std::shared_future<typename S::Response::SharedPtr> answer;
    return answered(answer, [&] {
      const auto request = std::make_shared<typename S::Request>(harmless);
      return client.async_send_request(request).future.share();
    });
  }
  static LoadNode::Request no_component() {
    LoadNode::Request request;
    request.package_name = "takt_test_component";
    return request;
  }
  /// The component; nullptr if there is no answer.
  static LoadNode::Response::SharedPtr load(::rclcpp::Client<LoadNode> & loader) {
    auto request = std::make_shared<LoadNode::Request>();
    request->package_name = "takt_test_component";
    request->plugin_name = "takt_test::Counter";
    auto future = loader.async_send_request(request);
    if (future.wait_for(testing::patience) != std::future_status::ready) return nullptr;
    return future.get();
  }
  std::string said() const {
    std::ostringstream text;
    text << std::ifstream(log_).rdbuf();
    return text.str();
  }
  int end(int signal) {
    kill(pid_, signal);
    int status = 0;
    waitpid(pid_, &status, 0);
    pid_ = 0;
    return status;
  }

  const std::string file_ =
      std::filesystem::temp_directory_path() / ("takt_container_test." + std::to_string(getpid()));
  const std::string log_ = file_ + ".log";
  pid_t pid_ = 0;
};

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
    // From then on the file holds to the letter.
    EXPECT_TRUE(testing::eventually([this] {
      return said().find("the strategy fits the components that are there") != std::string::npos;
    })) << said();
    auto unload = std::make_shared<UnloadNode::Request>();
    unload->unique_id = response->unique_id;
    auto unloaded = unloader->async_send_request(unload);
    ASSERT_EQ(unloaded.wait_for(testing::patience), std::future_status::ready);
    EXPECT_TRUE(unloaded.get()->success);
  }
  const int status = end(SIGINT);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  stop();
}

TEST_F(ContainerTest, TheScenarioIsAParameter) {
  std::ofstream(file_) << R"(default: rest
scenarios:
  rest: {policy: np-fp, tasks: {"counter/timer:5ms": {suspended: true}}}
  go: {tasks: {"counter/timer:5ms": {priority: 50}}}
)";
  start_container({"policy:=np-fp", "strategy:=" + file_});
  const auto node = make_node("asks");
  testing::Watched<int> counts;
  const auto subscription =
      node->create_subscription<Message>("count", 10, [&](const Message &) { counts.add(1); });
  const auto loader = node->create_client<LoadNode>("/ComponentManager/_container/load_node");
  const auto parameters =
      std::make_shared<::rclcpp::AsyncParametersClient>(node, "/ComponentManager");
  executor_->add_node(node);
  start();
  ASSERT_TRUE(known(*loader, no_component()));
  ASSERT_TRUE(parameters->wait_for_service(testing::patience));
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
  // It came together with what the scenario says of it.
  EXPECT_EQ(counts.get(), 0);
  EXPECT_TRUE(set("go").successful);
  EXPECT_TRUE(counts.wait_for_at_least(5));
  const int status = end(SIGINT);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
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
  start_container({"strategy:=" + file_});
  EXPECT_TRUE(testing::eventually([this] {
    return said().find("nobody/timer:5ms: there is no such task") != std::string::npos;
  })) << said();
  const int status = end(SIGINT);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

}  // namespace
}  // namespace takt::rclcpp
