// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fcntl.h>
#include <gmock/gmock.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <composition_interfaces/srv/load_node.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <future>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "testing/background.hpp"

namespace takt::rclcpp::testing {

using LoadNode = composition_interfaces::srv::LoadNode;

/// A container in a process of its own, and a node that calls its services.
class ContainerTest : public ExecutorTest {
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
    std::vector<std::string> words{"--ros-args"};
    for (const std::string & parameter : parameters) {
      words.emplace_back("-p");
      words.push_back(parameter);
    }
    start_with_arguments(words);
  }
  void start_with_arguments(std::vector<std::string> words) {
    const char * prefixes = std::getenv("AMENT_PREFIX_PATH");
    setenv("AMENT_PREFIX_PATH",
           (std::string(TAKT_TEST_PREFIX ":") + (prefixes != nullptr ? prefixes : "")).c_str(), 1);
    words.insert(words.begin(), TAKT_TEST_CONTAINER);
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
  /// Calls a service by `send`, again each second until there is a response: a server drops its
  /// response to a client that it has not discovered within 100 ms.
  template <typename Answer, typename Send>
  static bool answered(Answer & answer, const Send & send) {
    return eventually([&] {
      answer = send();
      return answer.wait_for(std::chrono::seconds(1)) == std::future_status::ready;
    });
  }
  /// Waits until the container has discovered the client, by a request that changes nothing.
  template <typename S>
  static bool known(::rclcpp::Client<S> & client, const typename S::Request & harmless) {
    if (!client.wait_for_service(patience)) return false;
    std::shared_future<typename S::Response::SharedPtr> answer;
    return answered(answer, [&] {
      const auto request = std::make_shared<typename S::Request>(harmless);
      return client.async_send_request(request).future.share();
    });
  }
  /// Starts a node that calls the container's services. Returns the client that loads components;
  /// nullptr if the container does not respond.
  ::rclcpp::Client<LoadNode>::SharedPtr start_asking() {
    const auto node = make_node("asks");
    auto loader = node->create_client<LoadNode>("/ComponentManager/_container/load_node");
    asks_ = node;
    executor_->add_node(node);
    start();
    return known(*loader, no_component()) ? loader : nullptr;
  }
  static LoadNode::Request no_component() {
    LoadNode::Request request;
    request.package_name = "takt_test_component";
    return request;
  }
  /// Loads a component and returns the response; nullptr if there is none.
  static LoadNode::Response::SharedPtr load(
      ::rclcpp::Client<LoadNode> & loader, const std::string & plugin = "takt_test::Counter",
      const std::string & name = "", const std::vector<::rclcpp::Parameter> & parameters = {}) {
    auto request = std::make_shared<LoadNode::Request>();
    request->package_name = "takt_test_component";
    request->plugin_name = plugin;
    request->node_name = name;
    for (const auto & each : parameters) request->parameters.push_back(each.to_parameter_msg());
    auto future = loader.async_send_request(request);
    if (future.wait_for(patience) != std::future_status::ready) return nullptr;
    return future.get();
  }
  /// Checks that the container ends by itself, with status 1 and the error message `why`.
  void expect_refusal(const std::string & why) {
    int status = 0;
    waitpid(pid_, &status, 0);
    pid_ = 0;
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 1) << status;
    EXPECT_THAT(said(), ::testing::HasSubstr("takt_component_container: " + why));
  }
  /// Waits until the container has printed `what`; returns false if it does not.
  bool says(const std::string & what) const {
    return eventually([&] { return said().find(what) != std::string::npos; });
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
  ::rclcpp::Node::SharedPtr asks_;
  pid_t pid_ = 0;
};

}  // namespace takt::rclcpp::testing
