// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// What rclcpp's pre-shutdown callbacks can do while takt's executor spins.
#include <gmock/gmock.h>

#include <atomic>
#include <future>
#include <memory>
#include <rcl_interfaces/msg/log.hpp>
#include <std_msgs/msg/u_int64.hpp>
#include <string>
#include <test_msgs/srv/empty.hpp>
#include <thread>

#include "takt_core/tasks/error.hpp"
#include "testing/background.hpp"
#include "testing/messages.hpp"
#include "testing/outside.hpp"

namespace takt::rclcpp {
namespace {

using namespace std::chrono_literals;
using ::testing::Contains;
using ::testing::HasSubstr;
using Empty = test_msgs::srv::Empty;
using Message = std_msgs::msg::UInt64;

/// A node whose timer counts its calls, and another node, of a context of its own, that receives
/// messages and serves requests.
class PreShutdownTest : public testing::ExecutorTest {
 protected:
  PreShutdownTest() {
    subscription_ = outside_.node()->create_subscription<Message>(
        "stop", 10, [this](const Message & message) { got_.set(static_cast<int>(message.data)); });
    service_ = outside_.node()->create_service<Empty>(
        "brake", [](const Empty::Request::SharedPtr &, const Empty::Response::SharedPtr &) {});
    outside_.begin();
  }
  ~PreShutdownTest() override {
    stop();
    outside_.end();
  }

  void fill(const ::rclcpp::Node::SharedPtr & node) {
    node_ = node;
    publisher_ = node_->create_publisher<Message>("stop", 10);
    client_ = node_->create_client<Empty>("brake");
    timer_ = node_->create_wall_timer(1ms, [this] { ticks_.add(1); });
  }
  void run() {
    executor_->add_node(node_);
    start();
    ASSERT_TRUE(client_->wait_for_service(testing::patience));
    ASSERT_TRUE(testing::eventually([this] { return publisher_->get_subscription_count() == 1; }));
    ASSERT_TRUE(ticks_.wait_for_at_least(3));
  }
  /// Sends a request, and publishes 42 if there is a response, else 1. Returns how often the timer
  /// was called meanwhile.
  int end() {
    const int before = ticks_.get();
    auto answer = client_->async_send_request(std::make_shared<Empty::Request>());
    const bool answered = answer.wait_for(testing::patience) == std::future_status::ready;
    publisher_->publish(testing::number(answered ? 42 : 1));
    return ticks_.get() - before;
  }

  testing::Outside outside_{"outside"};
  ::rclcpp::Subscription<Message>::SharedPtr subscription_;
  ::rclcpp::Service<Empty>::SharedPtr service_;
  testing::Watched<int> got_;

  ::rclcpp::Node::SharedPtr node_;
  ::rclcpp::Publisher<Message>::SharedPtr publisher_;
  ::rclcpp::Client<Empty>::SharedPtr client_;
  ::rclcpp::TimerBase::SharedPtr timer_;
  testing::Watched<int> ticks_;
};

TEST_F(PreShutdownTest, ItsCallbacksEndBeforeALauncherKills) {
  // A launcher kills the process 5 s after its signal; started jobs get 0.5 s before the callbacks
  // are called.
  EXPECT_LE(SchedulingOptions{}.pre_shutdown_limit + 500ms, 4500ms);
}

TEST_F(PreShutdownTest, MessagesAndAnswersComeAndNoOtherCallbackStarts) {
  make_executor({.pre_shutdown_limit = testing::patience});
  fill(make_node("a"));
  int ticked = -1;
  context_->add_pre_shutdown_callback([&] { ticked = end(); });
  run();
  context_->shutdown("by the test");
  EXPECT_EQ(ticked, 0);
  EXPECT_TRUE(got_.wait_for_at_least(42));
  thread_.join();
}

TEST_F(PreShutdownTest, InTheDefaultContextToo) {
  ::rclcpp::init(0, nullptr);
  executor_ = std::make_shared<SchedulingExecutor>(
      SchedulingOptions{.lock_memory = false, .pre_shutdown_limit = testing::patience});
  fill(std::make_shared<::rclcpp::Node>("a", ::rclcpp::NodeOptions().enable_rosout(false)));
  int ticked = -1;
  auto context = ::rclcpp::contexts::get_global_default_context();
  const auto handle = context->add_pre_shutdown_callback([&] { ticked = end(); });
  run();
  ::rclcpp::shutdown();
  context->remove_pre_shutdown_callback(handle);
  EXPECT_EQ(ticked, 0);
  EXPECT_TRUE(got_.wait_for_at_least(42));
  thread_.join();
}

TEST_F(PreShutdownTest, WhatIsLoggedThereReachesRosout) {
  using Log = rcl_interfaces::msg::Log;
  testing::Watched<int> heard;
  const auto subscription = outside_.node()->create_subscription<Log>(
      "/rosout", ::rclcpp::RosoutQoS(),
      [&](const Log & line) { heard.add(line.msg == "the last words" ? 1 : 0); });
  make_executor({.pre_shutdown_limit = testing::patience});
  fill(std::make_shared<::rclcpp::Node>("logs", ::rclcpp::NodeOptions().context(context_)));
  context_->add_pre_shutdown_callback(
      [this] { RCLCPP_INFO(node_->get_logger(), "the last words"); });
  run();
  context_->shutdown("by the test");
  EXPECT_TRUE(heard.wait_for_at_least(1));
  thread_.join();
  outside_.end();  // before the variables that its callback uses are destroyed
}

TEST_F(PreShutdownTest, ACallbackThatDoesNotReturnDoesNotKeepSpin) {
  make_executor({.pre_shutdown_limit = 10ms});
  fill(make_node("a"));
  std::promise<void> go;
  context_->add_pre_shutdown_callback([&] { go.get_future().wait(); });
  run();
  std::thread ends([this] { context_->shutdown("by the test"); });
  thread_.join();
  EXPECT_TRUE(context_->is_valid());
  EXPECT_THAT(log(),
              Contains(HasSubstr("a pre-shutdown callback of the context has not returned")));
  go.set_value();
  ends.join();
}

TEST_F(PreShutdownTest, ALimitOfZeroIsRefused) {
  EXPECT_THROW(one_more({.pre_shutdown_limit = 0ns}), Error);
}

TEST_F(PreShutdownTest, WaitingInACallbackNamesTheOtherWay) {
  fill(make_node("a"));
  std::promise<std::string> said;
  const auto waits = node_->create_wall_timer(1ms, [&] {
    std::promise<int> never;
    try {
      executor_->spin_until_future_complete(never.get_future().share());
      said.set_value("nothing");
    } catch (const std::exception & error) {
      said.set_value(error.what());
    }
    executor_->cancel();
  });
  executor_->add_node(node_);
  executor_->spin();
  EXPECT_THAT(said.get_future().get(), HasSubstr("async_send_request(request, callback)"));
}

}  // namespace
}  // namespace takt::rclcpp
