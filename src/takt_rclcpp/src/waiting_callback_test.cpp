// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// A callback that waits for the response of a service, which its own executor would have to receive.
#include <gmock/gmock.h>

#include <future>
#include <string>
#include <test_msgs/srv/empty.hpp>
#include <thread>

#include "testing/background.hpp"

namespace takt::rclcpp {
namespace {

using namespace std::chrono_literals;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using Empty = test_msgs::srv::Empty;

class WaitingCallbackTest : public testing::ExecutorTest {
 protected:
  /// Returns the line that reports a callback of `node` that waits for the service `/serve`.
  std::string said_of(const ::rclcpp::Node::SharedPtr & node) {
    const auto client = node->create_client<Empty>("serve");
    EXPECT_TRUE(client->wait_for_service(testing::patience));
    int calls = 0;
    const auto timer = node->create_wall_timer(5ms, [&] {
      // The wait ends when the pending request is removed.
      if (++calls > 1) return;
      client->async_send_request(std::make_shared<Empty::Request>()).future.wait();
    });
    executor_->add_node(node);
    start();
    const std::string told = told_of("'a/timer:5ms' blocks");
    EXPECT_TRUE(testing::eventually([&] { return client->prune_pending_requests() > 0; }));
    stop();
    return told;
  }
  /// Waits for a log line that contains `what`, and returns it.
  std::string told_of(const std::string & what) const {
    std::string told;
    EXPECT_TRUE(testing::eventually([&] {
      for (const std::string & line : log()) {
        if (line.find(what) != std::string::npos) told = line;
      }
      return !told.empty();
    }));
    return told;
  }
  static ::rclcpp::Service<Empty>::SharedPtr serve(const ::rclcpp::Node::SharedPtr & node) {
    return node->create_service<Empty>(
        "serve", [](std::shared_ptr<Empty::Request>, std::shared_ptr<Empty::Response>) {});
  }
};

TEST_F(WaitingCallbackTest, IsToldWithItsClient) {
  const auto node = make_node("a");
  const auto service = serve(node);
  EXPECT_THAT(said_of(node),
              HasSubstr("if it waits for the response to a request by client 'a/serve"));
}

TEST_F(WaitingCallbackTest, IsToldForSureWhereTheResponseHasCome) {
  const auto server = make_node("b");
  const auto service = serve(server);
  const auto serving = one_more();
  serving->add_node(server);
  std::thread thread([&] { serving->spin(); });
  EXPECT_THAT(
      said_of(make_node("a")),
      AllOf(HasSubstr("it seems to wait for the response to a request by client 'a/serve', which"),
            HasSubstr("let a thread of its own wait; it seems")));
  serving->cancel();
  thread.join();
}

// rclcpp does not say which callback waits for which response. A client must not be named only
// because a response to it has arrived.
TEST_F(WaitingCallbackTest, WhatLiesThereForAnotherNodeIsNotNamed) {
  const auto server = make_node("c");
  const auto service = serve(server);
  const auto serving = one_more();
  serving->add_node(server);
  std::thread thread([&] { serving->spin(); });
  const auto other = make_node("b");
  const auto client = other->create_client<Empty>("serve");
  EXPECT_TRUE(client->wait_for_service(testing::patience));
  const auto node = make_node("a");
  testing::Watched<int> sleeps;
  std::promise<void> end;
  const auto timer = node->create_wall_timer(5ms, [&sleeps, ended = end.get_future().share()] {
    sleeps.add(1);
    ended.wait();
  });
  executor_->add_node(node);
  executor_->add_node(other);
  start();
  EXPECT_TRUE(sleeps.wait_for_at_least(1));
  auto answer = client->async_send_request(std::make_shared<Empty::Request>());
  const std::string told = told_of("'a/timer:5ms' blocks");
  EXPECT_THAT(told,
              AllOf(HasSubstr("let a thread of its own wait"), Not(HasSubstr("client 'b/serve"))));
  end.set_value();
  EXPECT_EQ(answer.wait_for(testing::patience), std::future_status::ready);
  stop();
  serving->cancel();
  thread.join();
}

}  // namespace
}  // namespace takt::rclcpp
