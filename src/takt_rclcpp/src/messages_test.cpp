// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// Every way in which rclcpp delivers messages, under takt's executor.
#include <gmock/gmock.h>

#include <rclcpp/strategies/message_pool_memory_strategy.hpp>
#include <statistics_msgs/msg/metrics_message.hpp>
#include <std_msgs/msg/string.hpp>
#include <std_msgs/msg/u_int64.hpp>
#include <test_msgs/msg/basic_types.hpp>

#include "testing/background.hpp"
#include "testing/messages.hpp"

namespace takt::rclcpp {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using testing::number;
using testing::Watched;
using Message = std_msgs::msg::UInt64;
using Basic = test_msgs::msg::BasicTypes;

class MessagesTest : public testing::ExecutorTest {
 protected:
  ~MessagesTest() override { unsetenv(loans); }

  static constexpr const char * loans = "ROS_DISABLE_LOANED_MESSAGES";
  void note(std::uint64_t value) {
    const std::lock_guard lock(mutex_);
    seen_.push_back(value);
    count_.add(1);
  }
  std::vector<std::uint64_t> seen() {
    const std::lock_guard lock(mutex_);
    return seen_;
  }
  template <typename PublisherT>
  static bool matched(const PublisherT & publisher, std::size_t count = 1) {
    return testing::eventually([&] { return publisher->get_subscription_count() >= count; });
  }
  static std::vector<std::uint64_t> up_to(std::uint64_t last) {
    std::vector<std::uint64_t> all;
    for (std::uint64_t i = 1; i <= last; ++i) all.push_back(i);
    return all;
  }

  std::mutex mutex_;
  std::vector<std::uint64_t> seen_;
  Watched<int> count_;
};

TEST_F(MessagesTest, SerializedOnes) {
  const auto node = make_node("a");
  ::rclcpp::Serialization<Message> form;
  const auto read = [&](std::shared_ptr<const ::rclcpp::SerializedMessage> raw) {
    Message message;
    form.deserialize_message(raw.get(), &message);
    note(message.data);
  };
  const auto subscription = node->create_subscription<Message>(
      "topic", 10, [&](std::shared_ptr<::rclcpp::SerializedMessage> raw) { read(raw); });
  const auto generic = node->create_generic_subscription(
      "topic", "std_msgs/msg/UInt64", 10,
      [&](std::shared_ptr<const ::rclcpp::SerializedMessage> raw) { read(raw); });
  const auto publisher = node->create_publisher<Message>("topic", 10);
  executor_->add_node(node);
  start();
  ASSERT_TRUE(matched(publisher, 2));
  publisher->publish(number(7));
  EXPECT_TRUE(count_.wait_for_at_least(2));
  stop();
  EXPECT_THAT(seen(), ElementsAre(7, 7));
}

TEST_F(MessagesTest, FromAPool) {
  using ::rclcpp::strategies::message_pool_memory_strategy::MessagePoolMemoryStrategy;
  const auto node = make_node("a");
  const auto pool = std::make_shared<MessagePoolMemoryStrategy<Message, 1>>();
  const auto subscription = node->create_subscription<Message>(
      "topic", 10, [&](Message::ConstSharedPtr message) { note(message->data); },
      ::rclcpp::SubscriptionOptions(), pool);
  const auto publisher = node->create_publisher<Message>("topic", 10);
  executor_->add_node(node);
  start();
  ASSERT_TRUE(matched(publisher));
  for (std::uint64_t i = 1; i <= 10; ++i) {
    publisher->publish(number(i));
    ASSERT_TRUE(count_.wait_for_at_least(static_cast<int>(i)));
  }
  stop();
  EXPECT_EQ(seen(), up_to(10));
}

TEST_F(MessagesTest, LoanedOnes) {
  setenv(loans, "0", 1);
  const auto node = make_node("a");
  const auto subscription = node->create_subscription<Message>(
      "topic", 10, [&](const Message & message) { note(message.data); });
  const auto publisher = node->create_publisher<Message>("topic", 10);
  if (!subscription->can_loan_messages()) GTEST_SKIP() << "this middleware does not lend messages";
  executor_->add_node(node);
  start();
  ASSERT_TRUE(matched(publisher));
  for (std::uint64_t i = 1; i <= 20; ++i) {
    publisher->publish(number(i));
    ASSERT_TRUE(count_.wait_for_at_least(static_cast<int>(i)));
  }
  stop();
  EXPECT_EQ(seen(), up_to(20));
}

TEST_F(MessagesTest, ThoseThatAFilterLetsPass) {
  const auto node = make_node("a");
  ::rclcpp::SubscriptionOptions options;
  options.content_filter_options.filter_expression = "int32_value = %0";
  options.content_filter_options.expression_parameters = {"3"};
  const auto subscription = node->create_subscription<Basic>(
      "topic", 10,
      [&](const Basic & message) { note(static_cast<std::uint64_t>(message.int32_value)); },
      options);
  const auto publisher = node->create_publisher<Basic>("topic", 10);
  if (!subscription->is_cft_enabled()) GTEST_SKIP() << "this middleware has no content filters";
  executor_->add_node(node);
  start();
  ASSERT_TRUE(matched(publisher));
  Basic message;
  for (const int value : {1, 3, 2, 3}) {
    message.int32_value = value;
    publisher->publish(message);
  }
  ASSERT_TRUE(count_.wait_for_at_least(2));
  subscription->set_content_filter("int32_value = %0", {"5"});
  // Repeated, because the publisher may learn of the new filter later.
  EXPECT_TRUE(testing::eventually([&] {
    message.int32_value = 5;
    publisher->publish(message);
    return seen().back() == 5;
  }));
  stop();
  for (const std::uint64_t value : seen()) EXPECT_TRUE(value == 3 || value == 5) << value;
}

TEST_F(MessagesTest, StatisticsOfATopic) {
  const auto node = make_node("a");
  ::rclcpp::SubscriptionOptions options;
  options.topic_stats_options.state = ::rclcpp::TopicStatisticsState::Enable;
  options.topic_stats_options.publish_topic = "/statistics_of_the_test";
  options.topic_stats_options.publish_period = 50ms;
  const auto subscription = node->create_subscription<Message>(
      "topic", 10, [&](const Message & message) { note(message.data); }, options);
  Watched<int> reports;
  std::atomic<double> most = 0;
  const auto report = node->create_subscription<statistics_msgs::msg::MetricsMessage>(
      "/statistics_of_the_test", 10, [&](const statistics_msgs::msg::MetricsMessage & message) {
        for (const auto & point : message.statistics) {
          if (point.data_type == 5 && point.data > most) most = point.data;  // samples
        }
        reports.add(1);
      });
  const auto publisher = node->create_publisher<Message>("topic", 10);
  const auto timer = node->create_wall_timer(2ms, [&] { publisher->publish(number(1)); });
  executor_->add_node(node);
  start();
  EXPECT_TRUE(reports.wait_for_at_least(4));
  EXPECT_TRUE(testing::eventually([&] { return most.load() >= 2; }));
  stop();
}

TEST_F(MessagesTest, ThoseThatCameBeforeItSpins) {
  const auto node = make_node("a");
  const auto subscription = node->create_subscription<Message>(
      "topic", 10, [&](const Message & message) { note(message.data); });
  const auto publisher = node->create_publisher<Message>("topic", 10);
  executor_->add_node(node);
  ASSERT_TRUE(matched(publisher));
  for (std::uint64_t i = 1; i <= 5; ++i) publisher->publish(number(i));
  start();
  EXPECT_TRUE(count_.wait_for_at_least(5));
  stop();
  EXPECT_EQ(seen(), up_to(5));
}

TEST_F(MessagesTest, ThoseInsideTheProcessThatCameBeforeItSpins) {
  const auto node = make_node("a", ::rclcpp::NodeOptions().use_intra_process_comms(true));
  const auto subscription = node->create_subscription<Message>(
      "topic", 10, [&](const Message & message) { note(message.data); });
  const auto publisher = node->create_publisher<Message>("topic", 10);
  executor_->add_node(node);
  for (std::uint64_t i = 1; i <= 5; ++i) publisher->publish(number(i));
  start();
  EXPECT_TRUE(count_.wait_for_at_least(5));
  stop();
  EXPECT_EQ(seen(), up_to(5));
}

/// Messages that are waiting when spin() ends are delivered when it begins again, or by
/// spin_some().
class LeftOverTest : public MessagesTest, public ::testing::WithParamInterface<bool> {
 protected:
  /// Spins until the callback of the first message has published five more and ended spin().
  void spin_to_the_first() {
    publisher_ = node_->create_publisher<Message>("topic", 10);
    subscription_ =
        node_->create_subscription<Message>("topic", 10, [this](const Message & message) {
          if (message.data == 1) {
            // They arrive while this callback runs, and then spin() ends.
            for (std::uint64_t i = 2; i <= 6; ++i) publisher_->publish(number(i));
            executor_->cancel();
          }
          note(message.data);
        });
    executor_->add_node(node_);
    ASSERT_TRUE(matched(publisher_));
    publisher_->publish(number(1));
    executor_->spin();
  }

  const ::rclcpp::Node::SharedPtr node_ =
      make_node("a", ::rclcpp::NodeOptions().use_intra_process_comms(GetParam()));
  ::rclcpp::Publisher<Message>::SharedPtr publisher_;
  ::rclcpp::Subscription<Message>::SharedPtr subscription_;
};

TEST_P(LeftOverTest, WhatIsLeftWhenItEndsIsDeliveredLater) {
  ASSERT_NO_FATAL_FAILURE(spin_to_the_first());
  start();
  EXPECT_TRUE(count_.wait_for_at_least(6));
  stop();
  EXPECT_EQ(seen(), up_to(6));
}

TEST_P(LeftOverTest, WhatIsLeftWhenItEndsIsDeliveredBySpinSome) {
  ASSERT_NO_FATAL_FAILURE(spin_to_the_first());
  EXPECT_TRUE(testing::eventually([&] {
    executor_->spin_some();
    return seen().size() >= 6;
  }));
  EXPECT_EQ(seen(), up_to(6));
  // What the executor has counted meanwhile causes no errors.
  start();
  publisher_->publish(number(7));
  EXPECT_TRUE(count_.wait_for_at_least(7));
  stop();
  EXPECT_EQ(seen(), up_to(7));
}

INSTANTIATE_TEST_SUITE_P(OutsideAndInside, LeftOverTest, ::testing::Bool());

TEST_F(MessagesTest, AllOfALongBurstThatTheMiddlewareKeeps) {
  const auto node = make_node("a");
  const auto keep_all = ::rclcpp::QoS(::rclcpp::KeepAll()).reliable();
  const auto subscription = node->create_subscription<Message>(
      "topic", keep_all, [&](const Message & message) { note(message.data); });
  const auto publisher = node->create_publisher<Message>("topic", keep_all);
  executor_->add_node(node);
  ASSERT_TRUE(matched(publisher));
  for (std::uint64_t i = 1; i <= 3000; ++i) publisher->publish(number(i));
  start();
  EXPECT_TRUE(count_.wait_for_at_least(3000)) << seen().size();
  stop();
  EXPECT_EQ(seen(), up_to(3000));
}

TEST_F(MessagesTest, TheLastOfABurstThatIsLongerThanItsDepth) {
  for (const bool inside : {false, true}) {
    seen_.clear();
    const auto node = make_node("a", ::rclcpp::NodeOptions().use_intra_process_comms(inside));
    const auto subscription = node->create_subscription<Message>(
        "topic", 3, [&](const Message & message) { note(message.data); });
    const auto publisher = node->create_publisher<Message>("topic", 3);
    executor_->add_node(node);
    ASSERT_TRUE(matched(publisher));
    for (std::uint64_t i = 1; i <= 50; ++i) publisher->publish(number(i));
    ASSERT_TRUE(
        testing::eventually([&] { return inside || subscription->get_publisher_count() > 0; }));
    start();
    EXPECT_TRUE(testing::eventually([&] { return !seen().empty() && seen().back() == 50; }));
    publisher->publish(number(51));
    EXPECT_TRUE(testing::eventually([&] { return seen().back() == 51; }));
    stop();
    EXPECT_TRUE(std::is_sorted(seen_.begin(), seen_.end()));
    executor_->remove_node(node);
  }
}

TEST_F(MessagesTest, BothFromInsideAndFromOutside) {
  const auto node = make_node("a", ::rclcpp::NodeOptions().use_intra_process_comms(true));
  const auto other = make_node("b");  // by the middleware, not inside the process
  const auto subscription = node->create_subscription<Message>(
      "topic", 10, [&](const Message & message) { note(message.data); });
  const auto inside = node->create_publisher<Message>("topic", 10);
  const auto outside = other->create_publisher<Message>("topic", 10);
  executor_->add_node(node);
  start();
  ASSERT_TRUE(matched(outside));
  for (std::uint64_t i = 1; i <= 5; ++i) {
    inside->publish(number(i));
    outside->publish(number(100 + i));
  }
  EXPECT_TRUE(count_.wait_for_at_least(10));
  stop();
  std::vector<std::uint64_t> from_inside;
  std::vector<std::uint64_t> from_outside;
  for (const auto value : seen()) (value > 100 ? from_outside : from_inside).push_back(value);
  EXPECT_EQ(from_inside, up_to(5));
  EXPECT_THAT(from_outside, ElementsAre(101, 102, 103, 104, 105));
}

TEST_F(MessagesTest, OneThatCannotBeReadIsNoFaultOfSpin) {
  const auto node = make_node("a");
  Watched<int> texts;
  const auto subscription = node->create_subscription<std_msgs::msg::String>(
      "topic", 10, [&](const std_msgs::msg::String & message) {
        if (message.data == "good") texts.add(1);
      });
  const auto publisher = node->create_publisher<std_msgs::msg::String>("topic", 10);
  executor_->add_node(node);
  std::atomic<bool> ended = false;
  std::exception_ptr fault;
  thread_ = std::thread([&] {
    try {
      executor_->spin();
    } catch (...) {
      fault = std::current_exception();
    }
    ended = true;
  });
  ASSERT_TRUE(matched(publisher));
  // The length of the string is far beyond the end of the message.
  ::rclcpp::SerializedMessage broken(8);
  auto & raw = broken.get_rcl_serialized_message();
  const std::uint8_t bytes[8] = {0, 1, 0, 0, 0xff, 0xff, 0xff, 0x7f};
  std::copy(std::begin(bytes), std::end(bytes), raw.buffer);
  raw.buffer_length = 8;
  publisher->publish(broken);
  std_msgs::msg::String good;
  good.data = "good";
  publisher->publish(good);
  EXPECT_TRUE(testing::eventually([&] { return ended || texts.get() > 0; }));
  EXPECT_FALSE(ended.load());
  stop();
  if (fault) {
    try {
      std::rethrow_exception(fault);
    } catch (const std::exception & error) {
      ADD_FAILURE() << error.what();
    }
  }
}

/// At first, has no message to receive into.
class Forgetful : public ::rclcpp::message_memory_strategy::MessageMemoryStrategy<Message> {
 public:
  std::shared_ptr<Message> borrow_message() override {
    return borrowed++ == 0 ? nullptr : MessageMemoryStrategy<Message>::borrow_message();
  }
  std::atomic<int> borrowed = 0;
};

TEST_F(MessagesTest, AnErrorOfTheMiddlewareIsLoggedAndTheNextOneTaken) {
  const auto node = make_node("a");
  const auto subscription = node->create_subscription<Message>(
      "topic", 10, [&](const Message & message) { note(message.data); },
      ::rclcpp::SubscriptionOptions(), std::make_shared<Forgetful>());
  const auto publisher = node->create_publisher<Message>("topic", 10);
  executor_->add_node(node);
  ::testing::internal::CaptureStderr();
  start();
  EXPECT_TRUE(matched(publisher));
  publisher->publish(number(1));
  EXPECT_TRUE(count_.wait_for_at_least(1));
  publisher->publish(number(2));
  EXPECT_TRUE(count_.wait_for_at_least(2));
  stop();
  EXPECT_THAT(::testing::internal::GetCapturedStderr(),
              ::testing::HasSubstr("cannot take from '/topic': ros_message argument is null"));
  EXPECT_EQ(seen(), up_to(2));
}

TEST_F(MessagesTest, TheNewestFromInsideIsNeverLeftLying) {
  const auto node = make_node("a", ::rclcpp::NodeOptions().use_intra_process_comms(true));
  std::atomic<std::uint64_t> last = 0;
  const auto subscription = node->create_subscription<Message>(
      "topic", 1, [&](const Message & message) { last = message.data; });
  const auto publisher = node->create_publisher<Message>("topic", 1);
  executor_->add_node(node);
  start();
  for (std::uint64_t i = 3; i <= 30'000; i += 3) {
    for (const std::uint64_t value : {i - 2, i - 1, i}) publisher->publish(number(value));
    ASSERT_TRUE(testing::eventually([&] { return last == i; })) << last << " of " << i;
  }
  stop();
}

TEST_F(MessagesTest, EventsOfQualityOfService) {
  const auto node = make_node("a");
  Watched<int> offered;
  Watched<int> requested;
  Watched<int> missed;
  Watched<int> matches;
  ::rclcpp::SubscriptionOptions options;
  options.event_callbacks.incompatible_qos_callback =
      [&](::rclcpp::QOSRequestedIncompatibleQoSInfo &) { requested.add(1); };
  const auto demanding = node->create_subscription<Message>(
      "topic", ::rclcpp::QoS(1).reliable(), [](const Message &) {}, options);
  ::rclcpp::SubscriptionOptions others;
  others.event_callbacks.deadline_callback = [&](::rclcpp::QOSDeadlineRequestedInfo &) {
    missed.add(1);
  };
  others.event_callbacks.matched_callback = [&](::rclcpp::MatchedInfo &) { matches.add(1); };
  const auto punctual = node->create_subscription<Message>(
      "other", ::rclcpp::QoS(1).deadline(20ms), [](const Message &) {}, others);
  executor_->add_node(node);
  start();
  ::rclcpp::PublisherOptions publishes;
  publishes.event_callbacks.incompatible_qos_callback =
      [&](::rclcpp::QOSOfferedIncompatibleQoSInfo &) { offered.add(1); };
  const auto sloppy =
      node->create_publisher<Message>("topic", ::rclcpp::QoS(1).best_effort(), publishes);
  const auto late = node->create_publisher<Message>("other", ::rclcpp::QoS(1).deadline(20ms));
  EXPECT_TRUE(requested.wait_for_at_least(1));
  EXPECT_TRUE(offered.wait_for_at_least(1));
  EXPECT_TRUE(matches.wait_for_at_least(1));
  late->publish(number(1));
  EXPECT_TRUE(missed.wait_for_at_least(2));
  stop();
}

}  // namespace
}  // namespace takt::rclcpp
