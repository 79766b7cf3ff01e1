// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// A reader that keeps every message it receives, so that the publisher's pool is exhausted.
#include "exhausted_pool.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <std_msgs/msg/u_int64.hpp>
#include <string>
#include <utility>

#include "takt/takt.hpp"
#include "testing/background.hpp"
#include "testing/seen.hpp"

namespace takt {
namespace {

using namespace std::chrono_literals;
using testing::eventually;
using ::testing::HasSubstr;
using testing::Seen;
using Message = std_msgs::msg::UInt64;

constexpr std::size_t depth = 4;

class ExhaustedPoolTest : public ::testing::Test {
 protected:
  ~ExhaustedPoolTest() override { background_.stop(); }

  void publish_from(const std::shared_ptr<Node> & node, PoolRule rule) {
    publisher_ = node->create_publisher<Message>("topic", depth, {.when_exhausted = rule});
    timer_ = node->create_timer("publish", 1ms, [this] {
      Message message;
      message.data = ++published_;
      publisher_->publish(message);
    });
  }
  void keep_in(const std::shared_ptr<Node> & node) {
    subscription_ = node->create_subscription<Message>(
        "topic", depth, [this](std::shared_ptr<const Message> message) {
          ++heard_;
          if (keep_) kept_.add(std::move(message));
        });
  }
  static std::shared_ptr<Node> node(const char * name, const std::shared_ptr<Context> & context) {
    return std::make_shared<Node>(name, NodeOptions{.context = context});
  }
  void start() {
    background_.add(node_);
    background_.start();
  }
  bool publishes(std::uint64_t more) {
    return eventually([this, end = published_ + more] { return published_ >= end; });
  }

  std::shared_ptr<Context> context_ = testing::make_context();
  std::shared_ptr<Node> node_ = node("node", context_);
  std::atomic<std::uint64_t> published_ = 0;
  std::atomic<std::uint64_t> heard_ = 0;
  std::atomic<bool> keep_ = true;
  Seen<std::shared_ptr<const Message>> kept_;
  std::shared_ptr<Publisher<Message>> publisher_;
  std::shared_ptr<Timer> timer_;
  std::shared_ptr<Subscription<Message>> subscription_;
  testing::Background<SchedulingExecutor> background_{context_};
};

TEST_F(ExhaustedPoolTest, DropsAreCountedAndToldOnceAndMemoryIsBounded) {
  ::testing::internal::CaptureStderr();
  keep_in(node_);
  publish_from(node_, PoolRule::drop);
  const std::size_t size = publisher_->pool_size();
  EXPECT_EQ(size, depth + 2);
  start();
  EXPECT_TRUE(publishes(200));
  EXPECT_EQ(publisher_->pool_size(), size);
  const std::size_t kept = kept_.size();
  EXPECT_LE(kept, size);
  EXPECT_GE(publisher_->pool_exhausted() + size + 1, 200u);
  for (const auto & message : kept_.wait_for(0)) EXPECT_LE(message->data, size) << "overwritten";

  // A reader that releases its messages receives new ones again.
  keep_ = false;
  kept_.clear();
  const std::uint64_t so_far = heard_;
  EXPECT_TRUE(eventually([&] { return heard_ > so_far + 50; }));
  EXPECT_EQ(publisher_->pool_size(), size);
  background_.stop();
  context_->shutdown();
  const std::string written = ::testing::internal::GetCapturedStderr();
  const auto at =
      written.find("[node]: publisher of '/topic': all 6 messages of its pool are in use");
  EXPECT_NE(at, std::string::npos) << written;
  EXPECT_EQ(written.find("of its pool are kept", at + 60), std::string::npos) << "logged twice";
}

TEST_F(ExhaustedPoolTest, OrItGrowsAndThatIsCountedAndTold) {
  ::testing::internal::CaptureStderr();
  keep_in(node_);
  publish_from(node_, PoolRule::grow);
  start();
  const auto kept = kept_.wait_for(100);
  ASSERT_GE(kept.size(), 100u);
  for (std::size_t i = 1; i < kept.size(); ++i) EXPECT_EQ(kept[i]->data, kept[i - 1]->data + 1);
  EXPECT_GE(publisher_->pool_size(), 100u);
  EXPECT_GE(publisher_->pool_exhausted(), 100u - depth - 2);
  background_.stop();
  context_->shutdown();
  EXPECT_THAT(::testing::internal::GetCapturedStderr(),
              HasSubstr("publisher of '/topic': its pool has grown from 6 messages to 21"));
}

TEST_F(ExhaustedPoolTest, WhatComesFromOutsideIsToldToo) {
  ::testing::internal::CaptureStderr();
  const auto other = testing::make_context();
  const auto outside = node("outside", other);
  testing::Background<SchedulingExecutor> outsider(other);
  publish_from(outside, PoolRule::drop);
  outsider.add(outside);
  outsider.start();
  keep_in(node_);
  start();
  EXPECT_GE(kept_.wait_for(50).size(), 50u);
  outsider.stop();
  EXPECT_EQ(publisher_->pool_exhausted(), 0u) << "no reader inside the process keeps messages";
  background_.stop();
  context_->shutdown();
  EXPECT_THAT(::testing::internal::GetCapturedStderr(),
              HasSubstr("subscription of '/topic': its pool has grown from 2 messages to 13"));
}

TEST_F(ExhaustedPoolTest, ToKeepTheLatestIsNothingUnusual) {
  ::testing::internal::CaptureStderr();
  std::shared_ptr<const Message> latest;
  const auto subscription = node_->create_subscription<Message>(
      "topic", depth, [&](std::shared_ptr<const Message> message) { latest = std::move(message); });
  publish_from(node_, PoolRule::grow);
  start();
  EXPECT_TRUE(publishes(100));
  background_.stop();
  context_->shutdown();
  EXPECT_EQ(::testing::internal::GetCapturedStderr().find("pool"), std::string::npos);
}

}  // namespace
}  // namespace takt
