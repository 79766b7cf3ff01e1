// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// Items that arrived before an executor began to listen are delivered, whatever the middleware
// announces afterwards. listening_replacements.cpp makes it announce nothing.
#include <gmock/gmock.h>

#include <std_msgs/msg/u_int64.hpp>
#include <test_msgs/srv/empty.hpp>

#include "takt_core/tasks/testing/silent_listening.hpp"
#include "testing/background.hpp"

namespace takt::rclcpp {
namespace {

using testing::Watched;
using Message = std_msgs::msg::UInt64;
using Empty = test_msgs::srv::Empty;

class ListeningTest : public testing::ExecutorTest,
                      public ::testing::WithParamInterface<::rclcpp::QoS> {};

TEST_P(ListeningTest, MessagesThatLieThere) {
  const auto node = make_node("a");
  Watched<int> messages;
  const auto subscription =
      node->create_subscription<Message>("topic", GetParam(), [&](const Message & message) {
        EXPECT_EQ(message.data, static_cast<std::uint64_t>(messages.get()));
        messages.add(1);
      });
  const auto publisher = node->create_publisher<Message>("topic", GetParam());
  ASSERT_TRUE(testing::eventually([&] { return publisher->get_subscription_count() > 0; }));
  Message message;
  for (; message.data < 5; ++message.data) publisher->publish(message);
  ASSERT_TRUE(publisher->wait_for_all_acked(testing::patience));
  executor_->add_node(node);
  start();
  EXPECT_TRUE(messages.wait_for_at_least(5)) << messages.get();
  stop();
  EXPECT_EQ(messages.get(), 5);
  // So are messages that arrive between two calls of spin().
  publisher->publish(message);
  ASSERT_TRUE(publisher->wait_for_all_acked(testing::patience));
  start();
  EXPECT_TRUE(messages.wait_for_at_least(6)) << messages.get();
  stop();
}

INSTANTIATE_TEST_SUITE_P(OfATopic, ListeningTest,
                         ::testing::Values(::rclcpp::QoS(10), ::rclcpp::QoS(::rclcpp::KeepAll())),
                         [](const auto & of) {
                           const bool all = of.param.history() == ::rclcpp::HistoryPolicy::KeepAll;
                           return all ? "KeepAll" : "KeepLast";
                         });

TEST_F(ListeningTest, RequestsAndResponsesThatLieThere) {
  const auto node = make_node("a");
  const auto service = node->create_service<Empty>(
      "ask", [](Empty::Request::SharedPtr, Empty::Response::SharedPtr) {});
  const auto other = make_node("b");
  const auto client = other->create_client<Empty>("ask");
  ASSERT_TRUE(client->wait_for_service(testing::patience));
  ::rclcpp::ExecutorOptions options;
  options.context = context_;
  ::rclcpp::executors::SingleThreadedExecutor stock(options);
  // A request, answered by one executor or the other ...
  auto future = client->async_send_request(std::make_shared<Empty::Request>()).future.share();
  executor_->add_node(node);
  start();
  stock.add_node(other);
  EXPECT_EQ(stock.spin_until_future_complete(future, testing::patience),
            ::rclcpp::FutureReturnCode::SUCCESS);
  stop();
  executor_->remove_node(node);
  stock.remove_node(other);
  // ... and a response.
  auto answer = client->async_send_request(std::make_shared<Empty::Request>()).future.share();
  std::atomic<bool> served = false;
  stock.add_node(node);
  ASSERT_TRUE(testing::eventually([&] {
    stock.spin_some();
    // Nothing but a wait set shows that the response has arrived.
    rcl_wait_set_t set = rcl_get_zero_initialized_wait_set();
    EXPECT_EQ(rcl_wait_set_init(&set, 0, 0, 0, 1, 0, 0, context_->get_rcl_context().get(),
                                rcl_get_default_allocator()),
              RCL_RET_OK);
    EXPECT_EQ(rcl_wait_set_add_client(&set, client->get_client_handle().get(), nullptr),
              RCL_RET_OK);
    served = rcl_wait(&set, 0) == RCL_RET_OK && set.clients[0] != nullptr;
    EXPECT_EQ(rcl_wait_set_fini(&set), RCL_RET_OK);
    return served.load();
  }));
  stock.remove_node(node);
  executor_->add_node(other);
  start();
  EXPECT_EQ(answer.wait_for(testing::patience), std::future_status::ready);
  stop();
}

}  // namespace
}  // namespace takt::rclcpp
