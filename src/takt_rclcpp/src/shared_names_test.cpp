// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// Other nodes, in the process and outside, have clients, publishers and subscriptions of the same
// name. This must not make ours lose or repeat anything.
#include <gmock/gmock.h>

#include <atomic>
#include <std_msgs/msg/u_int64.hpp>
#include <test_msgs/srv/basic_types.hpp>

#include "testing/background.hpp"
#include "testing/messages.hpp"

namespace takt::rclcpp {
namespace {

using namespace std::chrono_literals;
using testing::number;
using testing::Watched;
using Message = std_msgs::msg::UInt64;
using Ask = test_msgs::srv::BasicTypes;
using Client = ::rclcpp::Client<Ask>;

/// Added to the numbers of messages from outside, to distinguish them from those from inside.
constexpr std::uint64_t outside = 1'000'000;

/// The service and the other clients are run by rclcpp's own executor, in a context of their own: as
/// far as the middleware can tell, in another process.
class SharedNamesTest : public testing::ExecutorTest {
 protected:
  SharedNamesTest() {
    others_context_->init(0, nullptr);
    ::rclcpp::ExecutorOptions options;
    options.context = others_context_;
    others_ = std::make_shared<::rclcpp::executors::SingleThreadedExecutor>(options);
    other_ =
        std::make_shared<::rclcpp::Node>("other", ::rclcpp::NodeOptions().context(others_context_));
    service_ = other_->create_service<Ask>(
        "ask", [](Ask::Request::ConstSharedPtr request, Ask::Response::SharedPtr response) {
          response->int64_value = request->int64_value;
        });
    others_->add_node(other_);
    others_thread_ = std::thread([this] { others_->spin(); });
  }
  ~SharedNamesTest() override {
    stop();
    // A cancel() before spin() has begun would have no effect.
    while (!others_->is_spinning()) std::this_thread::yield();
    others_->cancel();
    others_thread_.join();
    others_context_->shutdown("the test has ended");
  }

  static std::shared_ptr<Ask::Request> request(std::int64_t value) {
    auto made = std::make_shared<Ask::Request>();
    made->int64_value = value;
    return made;
  }
  /// Repeats the request until there is a response: a service may not have discovered a client that
  /// has discovered it.
  void connect(const Client::SharedPtr & client) {
    ASSERT_TRUE(client->wait_for_service(testing::patience));
    ASSERT_TRUE(testing::eventually([&] {
      return client->async_send_request(request(0)).wait_for(100ms) == std::future_status::ready;
    }));
  }

  ::rclcpp::Context::SharedPtr others_context_ = std::make_shared<::rclcpp::Context>();
  std::shared_ptr<::rclcpp::Executor> others_;
  ::rclcpp::Node::SharedPtr other_;
  ::rclcpp::Service<Ask>::SharedPtr service_;
  std::thread others_thread_;
};

TEST_F(SharedNamesTest, AnAnswerBehindThatOfAnotherClientIsDelivered) {
  const auto node = make_node("mine");
  const auto mine = node->create_client<Ask>("ask");
  const auto theirs = other_->create_client<Ask>("ask");
  executor_->add_node(node);
  start();
  connect(mine);
  connect(theirs);
  // No job of `mine` runs until both responses have arrived.
  Watched<int> asked;
  Watched<int> answered;
  Watched<int> may_go_on;
  const auto timer = node->create_wall_timer(1ms, [&] {
    if (asked.get() > 0) return;
    const auto their_answer = theirs->async_send_request(request(1)).share();
    ASSERT_EQ(their_answer.wait_for(testing::patience), std::future_status::ready);
    mine->async_send_request(request(2), [&](Client::SharedFuture) { answered.add(1); });
    asked.add(1);
    ASSERT_TRUE(may_go_on.wait_for_at_least(1));
  });
  ASSERT_TRUE(asked.wait_for_at_least(1));
  // Requests are served in order: when this one has been answered, that of `mine` has been, too.
  ASSERT_EQ(theirs->async_send_request(request(3)).wait_for(testing::patience),
            std::future_status::ready);
  may_go_on.add(1);
  EXPECT_TRUE(answered.wait_for_at_least(1));
  stop();
}

TEST_F(SharedNamesTest, ClientsThatWaitForTheirAnswersBeforeTheyAskAgainGoOn) {
  constexpr int rounds = 500;
  const auto node = make_node("mine");
  const auto first = node->create_client<Ask>("ask");
  const auto second = node->create_client<Ask>("ask");
  executor_->add_node(node);
  start();
  connect(first);
  connect(second);
  Watched<int> answers;
  std::function<void(const Client::SharedPtr &, int)> ask = [&](const Client::SharedPtr & client,
                                                                int round) {
    client->async_send_request(request(round), [&, client, round](Client::SharedFuture future) {
      EXPECT_EQ(future.get()->int64_value, round);
      answers.add(1);
      if (round < rounds) ask(client, round + 1);
    });
  };
  ask(first, 1);
  ask(second, 1);
  EXPECT_TRUE(answers.wait_for_at_least(2 * rounds)) << answers.get() << " answers";
  stop();
}

TEST_F(SharedNamesTest, BurstsOfSeveralClientsAreAllAnswered) {
  constexpr int clients = 3;
  constexpr int requests = 8;  // as many as the queues of services keep, for all of them together
  const auto node = make_node("mine");
  std::vector<Client::SharedPtr> all;
  for (int i = 0; i < clients; ++i) {
    all.push_back(node->create_client<Ask>("ask", ::rclcpp::QoS(clients * requests)));
  }
  executor_->add_node(node);
  start();
  for (const auto & client : all) connect(client);
  Watched<int> answers;
  for (int burst = 1; burst <= 20; ++burst) {
    for (int i = 0; i < requests / 4; ++i) {
      for (const auto & client : all) {
        client->async_send_request(request(i), [&](Client::SharedFuture) { answers.add(1); });
      }
    }
    ASSERT_TRUE(answers.wait_for_at_least(burst * clients * (requests / 4))) << answers.get();
  }
  stop();
}

/// A subscription inside the process, with a publisher inside and one outside.
class SharedTopicTest : public SharedNamesTest {
 protected:
  ~SharedTopicTest() override { stop(); }
  void SetUp() override {
    node_ = make_node("mine", ::rclcpp::NodeOptions().use_intra_process_comms(true));
    subscription_ = node_->create_subscription<Message>(
        "topic", ::rclcpp::QoS(1000), [this](Message::ConstSharedPtr message) {
          auto & last = message->data > outside ? last_outside_ : last_inside_;
          if (message->data != last.get() + 1) in_order_ = false;
          last.set(message->data);
        });
    // Because there is a subscription outside, the middleware also delivers copies of what is
    // published inside.
    echo_ = other_->create_subscription<Message>("topic", ::rclcpp::QoS(1000),
                                                 [](Message::ConstSharedPtr) {});
    inside_ = node_->create_publisher<Message>("topic", ::rclcpp::QoS(1000));
    outside_ = other_->create_publisher<Message>("topic", ::rclcpp::QoS(1000));
    executor_->add_node(node_);
    for (const auto & publisher : {inside_, outside_}) {
      ASSERT_TRUE(testing::eventually([&] { return publisher->get_subscription_count() == 2; }));
    }
  }

  ::rclcpp::Node::SharedPtr node_;
  ::rclcpp::Subscription<Message>::SharedPtr subscription_;
  ::rclcpp::Subscription<Message>::SharedPtr echo_;
  ::rclcpp::Publisher<Message>::SharedPtr inside_;
  ::rclcpp::Publisher<Message>::SharedPtr outside_;
  Watched<std::uint64_t> last_inside_;
  Watched<std::uint64_t> last_outside_{outside};
  std::atomic<bool> in_order_ = true;
};

TEST_F(SharedTopicTest, AMessageFromOutsideBehindTheCopyOfOneFromInsideIsDelivered) {
  std::uint64_t sent = 0;
  const auto timer = node_->create_wall_timer(1ms, [&] {
    if (sent == 20 || last_outside_.get() < outside + sent) return;
    // No job of the subscription runs until both messages have arrived.
    ++sent;
    inside_->publish(number(sent));
    outside_->publish(number(outside + sent));
    EXPECT_TRUE(outside_->wait_for_all_acked(testing::patience));
  });
  start();
  EXPECT_TRUE(last_outside_.wait_for_at_least(outside + 20));
  EXPECT_TRUE(last_inside_.wait_for_at_least(20));
  EXPECT_TRUE(in_order_);
  stop();
}

TEST_F(SharedTopicTest, NoneIsLostOfTwoStreams) {
  constexpr std::uint64_t messages = 400;
  start();
  std::jthread inside_thread([&] {
    for (std::uint64_t i = 1; i <= messages; ++i) inside_->publish(number(i));
  });
  for (std::uint64_t i = 1; i <= messages; ++i) {
    outside_->publish(number(outside + i));
    // Waits now and then, so that the middleware's queue does not overflow.
    if (i % 50 != 0) continue;
    ASSERT_TRUE(last_outside_.wait_for_at_least(outside + i)) << last_outside_.get() - outside;
  }
  inside_thread.join();
  EXPECT_TRUE(last_outside_.wait_for_at_least(outside + messages)) << last_outside_.get() - outside;
  EXPECT_TRUE(last_inside_.wait_for_at_least(messages)) << last_inside_.get();
  EXPECT_TRUE(in_order_);
  stop();
}

TEST_F(SharedTopicTest, ATimerThatReadsItHasTheNewestFromOutside) {
  std::atomic<std::uint64_t> sent = 0;
  std::atomic<std::uint64_t> used = 0;
  std::uint64_t known = 0;
  const auto reader = node_->create_wall_timer(1ms, [&] {
    // What had been published when the previous job ran has been delivered when this one starts.
    if (known > used) {
      EXPECT_EQ(last_outside_.get(), outside + known);
      EXPECT_EQ(last_inside_.get(), known);
      used = known;
    }
    known = sent;
  });
  executor_->set_task(reader, {.reads = {{subscription_}}});
  start();
  for (std::uint64_t i = 1; i <= 20; ++i) {
    inside_->publish(number(i));
    outside_->publish(number(outside + i));
    ASSERT_TRUE(outside_->wait_for_all_acked(testing::patience));
    sent = i;
    ASSERT_TRUE(testing::eventually([&] { return used == i; }));
  }
  stop();
}

}  // namespace
}  // namespace takt::rclcpp
