// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
#include "takt/spin_until_future_complete.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <stdexcept>
#include <string>
#include <takt_msgs/srv/echo.hpp>

#include "testing/background.hpp"

namespace takt {
namespace {

using namespace std::chrono_literals;
using takt_msgs::srv::Echo;

template <typename Executor>
class SpinUntilTest : public ::testing::Test {
 protected:
  SpinUntilTest() { executor_.add_node(node_); }

  std::shared_ptr<Context> context_ = testing::make_context();
  std::shared_ptr<Node> node_ = std::make_shared<Node>("node", NodeOptions{.context = context_});
  Executor executor_{testing::executor_options<Executor>(context_)};
};
TYPED_TEST_SUITE(SpinUntilTest, testing::Executors);

TYPED_TEST(SpinUntilTest, AResponseIsThere) {
  const auto service = this->node_->template create_service<Echo>(
      "echo", [](const Echo::Request & q, Echo::Response & a) { a.sequence = q.sequence + 1; });
  const auto client = this->node_->template create_client<Echo>("echo");
  ASSERT_TRUE(client->wait_for_service(testing::patience));
  for (std::uint64_t i = 0; i < 3; ++i) {
    auto request = std::make_shared<Echo::Request>();
    request->sequence = i;
    auto future = client->async_send_request(request);
    ASSERT_EQ(spin_until_future_complete(this->executor_, future, testing::patience),
              FutureReturnCode::SUCCESS);
    EXPECT_EQ(future.get()->sequence, i + 1);
  }
}

TYPED_TEST(SpinUntilTest, WhatIsReadyAlreadyNeedsNoSpinning) {
  std::promise<int> promise;
  promise.set_value(1);
  EXPECT_EQ(spin_until_future_complete(this->executor_, promise.get_future()),
            FutureReturnCode::SUCCESS);
}

TYPED_TEST(SpinUntilTest, TheTimeoutEndsIt) {
  std::promise<int> never;
  const auto future = never.get_future();
  EXPECT_EQ(spin_until_future_complete(this->executor_, future, 20ms), FutureReturnCode::TIMEOUT);
  EXPECT_EQ(spin_until_future_complete(this->executor_, future, 0ms), FutureReturnCode::TIMEOUT);
}

TYPED_TEST(SpinUntilTest, PiecesOfMillisecondsServe) {
  std::promise<int> never;
  const auto future = never.get_future();
  int calls = 0;
  const auto timer = this->node_->create_timer("often", 1ms, [&calls] { ++calls; });
  // If each call ended before it ran any callback, repeating it would not help.
  for (int piece = 0; piece < 1000 && calls == 0; ++piece) {
    EXPECT_EQ(spin_until_future_complete(this->executor_, future, 5ms), FutureReturnCode::TIMEOUT);
  }
  EXPECT_GT(calls, 0);
}

TYPED_TEST(SpinUntilTest, CancellingEndsIt) {
  std::promise<int> never;
  const auto timer = this->node_->create_timer("cancel", 1ms, [&] { this->executor_.cancel(); });
  EXPECT_EQ(spin_until_future_complete(this->executor_, never.get_future()),
            FutureReturnCode::INTERRUPTED);
}

/// Its spin() returns only after a cancel(), even if something else has ended it.
template <typename Executor>
class SlowToReturn : public Executor {
 public:
  using Executor::Executor;
  void spin() {
    Executor::spin();
    cancelled_.wait(false);
  }
  void cancel() {
    Executor::cancel();
    cancelled_ = true;
    cancelled_.notify_all();
  }

 private:
  std::atomic<bool> cancelled_ = false;
};

TYPED_TEST(SpinUntilTest, AFutureThatIsReadyAsACallbackCancelsLeavesTheNextSpinAlone) {
  this->executor_.remove_node(this->node_);
  SlowToReturn<TypeParam> executor(testing::executor_options<TypeParam>(this->context_));
  TypeParam & plain = executor;
  executor.add_node(this->node_);
  std::promise<void> promise;
  const auto future = promise.get_future();
  int calls = 0;
  const auto timer = this->node_->create_timer("cancel", 1ms, [&] {
    if (++calls == 1) promise.set_value();
    if (calls == 1 || calls >= 4) plain.cancel();
  });
  EXPECT_EQ(spin_until_future_complete(executor, future), FutureReturnCode::SUCCESS);
  plain.spin();
  EXPECT_GE(calls, 4);
}

TYPED_TEST(SpinUntilTest, InACallbackTheErrorNamesTheOtherWay) {
  std::promise<int> never;
  std::string error;
  const auto timer = this->node_->create_timer("wait", 1ms, [&] {
    try {
      spin_until_future_complete(this->executor_, never.get_future());
    } catch (const Error & thrown) {
      error = thrown.what();
    }
    this->executor_.cancel();
  });
  this->executor_.spin();
  EXPECT_THAT(error, ::testing::HasSubstr("async_send_request(request, callback)"));
}

TYPED_TEST(SpinUntilTest, AnExceptionOfACallbackComesThrough) {
  std::promise<int> never;
  const auto timer =
      this->node_->create_timer("throw", 1ms, [] { throw std::runtime_error("from a callback"); });
  EXPECT_THROW(spin_until_future_complete(this->executor_, never.get_future()), std::runtime_error);
}

}  // namespace
}  // namespace takt
