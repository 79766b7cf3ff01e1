// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// What can be done before a shutdown, and what is reported of messages and requests after it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <memory>
#include <optional>
#include <rcl_interfaces/msg/log.hpp>
#include <std_msgs/msg/u_int64.hpp>
#include <stdexcept>
#include <string>
#include <takt_msgs/srv/echo.hpp>
#include <thread>
#include <vector>

#include "takt/takt.hpp"
#include "takt_core/os/stack.hpp"
#include "takt_core/os/testing/deep_stack.hpp"
#include "testing/background.hpp"
#include "testing/messages.hpp"
#include "testing/seen.hpp"

namespace takt {
namespace {

using namespace std::chrono_literals;
using takt_msgs::srv::Echo;
using ::testing::AllOf;
using ::testing::ElementsAre;
using testing::eventually;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::number;
using testing::patience;
using Message = std_msgs::msg::UInt64;

/// A node whose context is shut down, and a node of another context, as if in another process.
template <typename Executor>
class ShutdownTest : public ::testing::Test {
 protected:
  static std::shared_ptr<Context> context_with(Duration limit) {
    setenv("ROS_AUTOMATIC_DISCOVERY_RANGE", "LOCALHOST", 1);
    auto context = std::make_shared<Context>();
    context->init(0, nullptr, {.handle_signals = false, .pre_shutdown_limit = limit});
    return context;
  }
  void start(Duration limit = patience) {
    context_ = context_with(limit);
    node_ = std::make_shared<Node>("node", NodeOptions{.context = context_});
    publisher_ = node_->create_publisher<Message>("stop", 10);
    client_ = node_->create_client<Echo>("echo");
    timer_ = node_->create_timer("tick", 1ms, [this] { ++ticks_; });
    background_.emplace(context_);
    background_->add(node_);
    background_->start();
    ASSERT_TRUE(eventually([this] { return ticks_ > 3; }));
  }
  /// The other node begins to receive messages and to serve requests.
  void start_outside() {
    subscription_ = outside_->create_subscription<Message>(
        "stop", 10, [this](const Message & m) { got_.add(m.data); });
    service_ = outside_->create_service<Echo>(
        "echo", [](const Echo::Request & q, Echo::Response & a) { a.sequence = q.sequence + 1; });
    other_background_.add(outside_);
    other_background_.start();
    ASSERT_TRUE(eventually([this] { return publisher_->get_subscription_count() == 1; }));
    ASSERT_TRUE(client_->wait_for_service(patience));
  }
  std::uint64_t ask() {
    auto future = client_->async_send_request(testing::request(41));
    if (future.wait_for(patience) != std::future_status::ready) return 0;
    return future.get()->sequence;
  }

  std::shared_ptr<Context> other_ = testing::make_context();
  std::shared_ptr<Node> outside_ =
      std::make_shared<Node>("outside", NodeOptions{.context = other_});
  testing::Seen<std::uint64_t> got_;
  std::shared_ptr<Subscription<Message>> subscription_;
  std::shared_ptr<Service<Echo>> service_;
  testing::Background<Executor> other_background_{other_};

  std::shared_ptr<Context> context_;
  std::shared_ptr<Node> node_;
  std::shared_ptr<Publisher<Message>> publisher_;
  std::shared_ptr<Client<Echo>> client_;
  std::atomic<int> ticks_ = 0;
  std::shared_ptr<Timer> timer_;
  std::optional<testing::Background<Executor>> background_;
};
TYPED_TEST_SUITE(ShutdownTest, testing::Executors);

TYPED_TEST(ShutdownTest, BeforeItMessagesAndAnswersComeAndNoOtherCallbackStarts) {
  this->start();
  this->start_outside();
  std::uint64_t answer = 0;
  int ticked = -1;
  bool valid = false;
  this->context_->on_pre_shutdown([&] {
    valid = this->context_->is_valid();
    const int before = this->ticks_;
    this->publisher_->publish(number(1));
    answer = this->ask();
    this->publisher_->publish(number(2));
    ticked = this->ticks_ - before;
  });
  this->context_->shutdown();
  EXPECT_FALSE(this->context_->is_valid());
  EXPECT_TRUE(valid);
  EXPECT_EQ(answer, 42u);
  EXPECT_EQ(ticked, 0);
  EXPECT_THAT(this->got_.wait_for(2), ElementsAre(1, 2));
}

TYPED_TEST(ShutdownTest, FromACallbackToo) {
  this->start();
  this->start_outside();
  std::uint64_t answer = 0;
  this->context_->on_pre_shutdown([&] {
    answer = this->ask();
    this->publisher_->publish(number(answer));
  });
  const auto ends =
      this->node_->create_timer("end", 1ms, [context = this->context_] { context->shutdown(); });
  EXPECT_TRUE(this->got_.wait_for_value(42));
  this->background_->stop();
  this->context_->shutdown();  // waits for the shutdown that the callback has begun
  EXPECT_FALSE(this->context_->is_valid());
  EXPECT_EQ(answer, 42u);
}

TYPED_TEST(ShutdownTest, WhatIsLoggedBeforeItReachesRosoutAndWhatIsLoggedAfterFailsInSilence) {
  this->start();
  testing::Seen<std::string> lines;
  const auto rosout = this->outside_->template create_subscription<rcl_interfaces::msg::Log>(
      "/rosout", QoS(100).reliable(),
      [&](const rcl_interfaces::msg::Log & log) { lines.add(log.msg); });
  this->start_outside();
  ASSERT_TRUE(eventually([&] {
    TAKT_INFO(this->node_->get_logger(), "found");
    return lines.size() > 0;
  }));
  this->context_->on_pre_shutdown([&] { TAKT_INFO(this->node_->get_logger(), "motors are off"); });
  this->context_->shutdown();
  EXPECT_TRUE(lines.wait_for_value("motors are off"));
  ::testing::internal::CaptureStderr();
  for (int i = 0; i < 2; ++i) TAKT_INFO(this->node_->get_logger(), "afterwards");
  EXPECT_THAT(::testing::internal::GetCapturedStderr(),
              AllOf(HasSubstr("afterwards"), Not(HasSubstr("rosout"))));
  this->other_background_.stop();
}

TYPED_TEST(ShutdownTest, TheFirstMessageThatComesTooLateIsTold) {
  this->start();
  this->context_->shutdown();
  this->background_->stop();
  ::testing::internal::CaptureStderr();
  this->publisher_->publish(number(1));
  EXPECT_THAT(::testing::internal::GetCapturedStderr(),
              AllOf(HasSubstr("'/stop' was not sent"), HasSubstr("on_pre_shutdown()")));
  ::testing::internal::CaptureStderr();
  this->publisher_->publish(number(2));
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

TYPED_TEST(ShutdownTest, TheFirstRequestThatComesTooLateIsTold) {
  this->start();
  this->context_->shutdown();
  this->background_->stop();
  ::testing::internal::CaptureStderr();
  for (int i = 0; i < 2; ++i) {
    try {
      this->client_->async_send_request(testing::request(1));
    } catch (const Error &) {
      continue;  // the middleware may also refuse the request
    }
  }
  const std::string said = ::testing::internal::GetCapturedStderr();
  EXPECT_THAT(said, HasSubstr("a request of '/echo' was not sent"));
  EXPECT_EQ(said.find("was not sent"), said.rfind("was not sent"));
}

TYPED_TEST(ShutdownTest, TheResponseOfTheCallbackThatShutsDownArrives) {
  this->start();
  const auto service = this->node_->template create_service<Echo>(
      "late", [this](const Echo::Request & q, Echo::Response & a) {
        this->context_->shutdown();
        a.sequence = q.sequence + 1;
      });
  const auto client = this->outside_->template create_client<Echo>("late");
  this->start_outside();
  ASSERT_TRUE(client->wait_for_service(patience));
  auto response = client->async_send_request(testing::request(41));
  ASSERT_EQ(response.wait_for(patience), std::future_status::ready);
  EXPECT_EQ(response.get()->sequence, 42U);
  this->background_->stop();
  this->other_background_.stop();
}

TYPED_TEST(ShutdownTest, ItsFunctionsEndBeforeALauncherKills) {
  // A launcher kills the process 5 s after its signal; started jobs get 0.5 s before the functions
  // are called.
  EXPECT_LE(InitOptions{}.pre_shutdown_limit + 500ms, 4500ms);
}

TYPED_TEST(ShutdownTest, AFunctionThatTakesTooLongIsNotWaitedForAndIsTold) {
  this->start(10ms);
  std::promise<void> go;
  std::promise<void> gone;
  bool second = false;
  this->context_->on_pre_shutdown([&] {
    go.get_future().wait();
    gone.set_value();
  });
  this->context_->on_pre_shutdown([&] { second = true; });
  ::testing::internal::CaptureStderr();
  this->context_->shutdown();
  EXPECT_FALSE(this->context_->is_valid());
  EXPECT_THAT(::testing::internal::GetCapturedStderr(), HasSubstr("not returned within 0.01 s"));
  this->background_->stop();
  go.set_value();
  gone.get_future().wait();
  EXPECT_FALSE(second);
}

TYPED_TEST(ShutdownTest, WhoAlsoEndsItWaitsForThat) {
  this->start();
  std::promise<void> begun;
  std::promise<void> go;
  this->context_->on_pre_shutdown([&] {
    begun.set_value();
    this->context_->shutdown();  // has no effect: the shutdown is in progress
    EXPECT_TRUE(this->context_->is_valid());
    go.get_future().wait();
  });
  std::thread ends([&] { this->context_->shutdown(); });
  begun.get_future().wait();
  std::thread too([&] {
    this->context_->shutdown();
    EXPECT_FALSE(this->context_->is_valid());
  });
  go.set_value();
  too.join();
  ends.join();
}

TYPED_TEST(ShutdownTest, WhatSpinsOnlyThenServesAnswersAlone) {
  this->start();
  this->start_outside();
  this->background_->stop();
  const int before = this->ticks_;
  std::uint64_t answer = 0;
  this->context_->on_pre_shutdown([&] {
    this->background_->start();
    answer = this->ask();
  });
  this->context_->shutdown();
  this->background_->stop();
  EXPECT_EQ(answer, 42u);
  EXPECT_EQ(this->ticks_, before);
}

TEST(PreShutdownTest, FunctionsAreCalledInOrderWhateverTheyThrow) {
  const auto context = testing::make_context();
  std::vector<int> called;
  std::uint64_t last = 0;
  context->on_pre_shutdown([&] {
    called.push_back(1);
    context->remove_on_pre_shutdown(last);
    EXPECT_EQ(context->on_pre_shutdown([&] { called.push_back(9); }), 0u);
    throw std::runtime_error("the motor is on fire");
  });
  context->on_pre_shutdown([&] { called.push_back(2); });
  const auto removed = context->on_pre_shutdown([&] { called.push_back(3); });
  last = context->on_pre_shutdown([&] { called.push_back(4); });
  context->remove_on_pre_shutdown(removed);
  ::testing::internal::CaptureStderr();
  context->shutdown();
  EXPECT_THAT(::testing::internal::GetCapturedStderr(), HasSubstr("the motor is on fire"));
  EXPECT_THAT(called, ElementsAre(1, 2));
  EXPECT_EQ(context->on_pre_shutdown([&] { called.push_back(5); }), 0u);
  context->shutdown();
  EXPECT_THAT(called, ElementsAre(1, 2));
}

TEST(PreShutdownTest, AFunctionHasTheStackOfAnOrdinaryThread) {
  const auto context = testing::make_context();
  bool returned = false;
  context->on_pre_shutdown([&] {
    os::testing::go_deep(os::ordinary_stack_size() * 3 / 4);  // usually 6 MiB
    returned = true;
  });
  context->shutdown();
  EXPECT_TRUE(returned);
}

TEST(PreShutdownTest, ALimitBelowZeroIsRefused) {
  EXPECT_THROW(std::make_shared<Context>()->init(
                   0, nullptr, {.handle_signals = false, .pre_shutdown_limit = -1ns}),
               Error);
}

}  // namespace
}  // namespace takt
