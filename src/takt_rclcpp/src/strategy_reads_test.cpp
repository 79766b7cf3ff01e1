// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// What timers read, by strategy files and by set_task(), and how old that data may be.
#include <gmock/gmock.h>

#include "takt_core/tasks/testing/error_of.hpp"
#include "testing/strategy_files.hpp"

namespace takt::rclcpp {
namespace {

using namespace std::chrono_literals;
using takt::testing::error_of;
using ::testing::HasSubstr;
using testing::Watched;

class StrategyReadsTest : public testing::StrategyFileTest {};

TEST_F(StrategyReadsTest, ATimerReadsWhatTheFileSaysItSubscribes) {
  const auto node = make_node("a", ::rclcpp::NodeOptions().use_intra_process_comms(true));
  std::uint64_t seen = 0;
  Watched<int> stale;
  Watched<int> jobs;
  std::uint64_t sent = 0;
  const auto publisher = node->create_publisher<Message>("news", 1);
  const auto subscription = node->create_subscription<Message>(
      "news", 1, [&](const Message & message) { seen = message.data; });
  const auto writer = node->create_wall_timer(2ms, [&] {
    auto message = std::make_unique<Message>();
    message->data = ++sent;
    publisher->publish(std::move(message));
  });
  const auto reader = node->create_wall_timer(3ms, [&] {
    if (seen != sent) stale.add(1);
    jobs.add(1);
  });
  executor_->add_node(node);
  executor_->load_strategy(write(R"(default: s
scenarios: {s: {tasks: {"a/timer:3ms": {subscribes: news}}}}
)"));
  start();
  ASSERT_TRUE(jobs.wait_for_at_least(20));
  EXPECT_EQ(stale.get(), 0);
  // A subscription that a timer reads has no jobs of its own.
  EXPECT_THAT(tasks(), ::testing::Not(::testing::Contains("a/news")));
  stop();
}

// Every 14 ms both timers are due at once. The reader is more urgent and would find data of 14 ms
// ago.
TEST_F(StrategyReadsTest, DataThatIsTooOldIsRefreshed) {
  const News news = make_news();
  const auto writer = news.node->create_wall_timer(14ms, [&] { news.publish(); });
  executor_->add_node(news.node);
  executor_->set_task(news.reader, {.phase = 0ms});
  executor_->set_task(writer, {.phase = 0ms});
  executor_->load_strategy(write(R"(default: s
scenarios:
  s:
    tasks:
      a/timer:7ms: {priority: 90, max_age: {news: 10ms}}
      a/timer:14ms: {priority: 10, publishes: news}
)"));
  start();
  ASSERT_TRUE(jobs_.wait_for_at_least(12));
  EXPECT_GE(executor_->statistics().ages.refreshed, 5u);
  stop();
}

TEST_F(StrategyReadsTest, WhoPublishesTooSeldomIsReleasedOnceMore) {
  const News news = make_news();
  const auto writer = news.node->create_wall_timer(100ms, [&] { news.publish(); });
  executor_->add_node(news.node);
  executor_->set_task(writer, {.publishes = {"news"}, .extra_releases = true});
  executor_->set_task(news.reader, {.reads = {{news.subscription, {.max_age = 20ms}}}});
  start();
  ASSERT_TRUE(jobs_.wait_for_at_least(40));
  EXPECT_GT(executor_->counters("a/timer:100ms").extra_releases, 0u);
  stop();
}

// The same as by set_task(), but by a file, for timers of both clock types.
TEST_F(StrategyReadsTest, AFileSaysWhoIsReleasedOnceMore) {
  for (const auto clock : {RCL_STEADY_TIME, RCL_ROS_TIME}) {
    const News news = make_news();
    const auto writer = ::rclcpp::create_timer(
        news.node, std::make_shared<::rclcpp::Clock>(clock), 100ms,
        [&](const ::rclcpp::TimerInfo & info) {
          news.publish();
          const ::rclcpp::Duration age = ::rclcpp::Clock(clock).now() - info.actual_call_time;
          EXPECT_LT(std::chrono::abs(age.to_chrono<std::chrono::nanoseconds>()), testing::patience);
        });
    executor_->add_node(news.node);
    executor_->load_strategy(write(R"(default: s
scenarios:
  s:
    tasks:
      a/timer:7ms: {priority: 90, max_age: {news: 20ms}}
      a/timer:100ms: {priority: 10, publishes: news, extra_releases: true}
)"));
    start();
    ASSERT_TRUE(jobs_.wait_for_at_least(jobs_.get() + 40));
    EXPECT_GT(executor_->counters("a/timer:100ms").extra_releases, 0u);
    stop();
    executor_->remove_node(news.node);
    executor_->set_scheduling_strategy(nullptr);
  }
}

TEST_F(StrategyReadsTest, AFileSaysWhatBecomesOfDataThatIsTooOld) {
  const auto node = make_node("a");
  const auto subscription = node->create_subscription<Message>("news", 1, [](const Message &) {});
  Watched<int> jobs;
  const auto reader = node->create_wall_timer(2ms, [&] { jobs.add(1); });
  executor_->add_node(node);
  const auto file = [this](const std::string & on_stale) {
    return write("default: s\nscenarios: {s: {tasks: {\"a/timer:2ms\": {max_age: {news: 1ms}" +
                 on_stale + "}}}}\n");
  };
  // No node of the executor publishes the topic.
  EXPECT_THAT(error_of([&] { executor_->load_strategy(file("")); }), HasSubstr("give on_stale"));
  executor_->load_strategy(file(", on_stale: report"));
  start();
  ASSERT_TRUE(jobs.wait_for_at_least(5));
  EXPECT_GT(executor_->counters("a/timer:2ms").stale_reported, 0u);
  EXPECT_EQ(executor_->counters("a/timer:2ms").stale_skipped, 0u);
  executor_->load_strategy(file(", on_stale: skip"));
  EXPECT_TRUE(
      testing::eventually([&] { return executor_->counters("a/timer:2ms").stale_skipped > 5; }));
  stop();
  EXPECT_THAT(error_of([&] {
                executor_->load_strategy(write(
                    "default: s\nscenarios: {s: {tasks: {a/news: {extra_releases: true}}}}\n"));
              }),
              HasSubstr("is no timer, so it has no extra_releases"));
}

TEST_F(StrategyReadsTest, ReadersAndWhatTheyReadExcludeEachOtherOrAreRefusedEachTime) {
  const auto node = make_node("a");
  const auto group = node->create_callback_group(::rclcpp::CallbackGroupType::MutuallyExclusive);
  const auto timer = node->create_wall_timer(20ms, [] {}, group);
  const auto subscription = node->create_subscription<Message>("news", 1, [](const Message &) {});
  executor_->add_node(node);
  executor_->set_task(timer, {.reads = {{subscription}}});
  for (int i = 0; i < 3; ++i) {
    EXPECT_THAT(error_of([&] { executor_->spin(); }),
                HasSubstr("put both into one mutually exclusive callback group"))
        << i;
    EXPECT_FALSE(executor_->is_spinning()) << i;
  }
  executor_->set_task(timer, {});
  start();
  EXPECT_TRUE(testing::eventually([&] { return executor_->processor().spinning(); }));
  stop();
}

TEST_F(StrategyReadsTest, ATimerReadsTheSubscriptionItWasGivenOfTwoOnOneTopic) {
  const auto node = make_node("a", ::rclcpp::NodeOptions().use_intra_process_comms(true));
  int of_timer = 0;
  Watched<int> of_itself;
  const auto publisher = node->create_publisher<Message>("news", 1);
  const auto itself =
      node->create_subscription<Message>("news", 1, [&](const Message &) { of_itself.add(1); });
  const auto read =
      node->create_subscription<Message>("news", 1, [&](const Message &) { ++of_timer; });
  const auto reader = node->create_wall_timer(2ms, [&] {
    publisher->publish(Message());
    jobs_.add(1);
  });
  executor_->add_node(node);
  executor_->set_task(reader, {.reads = {{read}}});
  start();
  ASSERT_TRUE(jobs_.wait_for_at_least(10));
  EXPECT_TRUE(of_itself.wait_for_at_least(5));
  EXPECT_THAT(tasks(), ::testing::Contains("a/news"));
  EXPECT_THAT(tasks(), ::testing::Not(::testing::Contains("a/news#2")));
  stop();
  EXPECT_GE(of_timer, 9);
}

TEST_F(StrategyReadsTest, APublisherThatIsMadeLaterRefreshesToo) {
  const auto node = make_node("a");
  const auto subscription = node->create_subscription<Message>("news", 1, [](const Message &) {});
  const auto reader = node->create_wall_timer(7ms, [&] { jobs_.add(1); });
  const auto other = make_node("b");
  std::mutex mutex;
  ::rclcpp::Publisher<Message>::SharedPtr publisher;
  const auto writer = other->create_wall_timer(100ms, [&] {
    const std::lock_guard lock(mutex);
    if (publisher != nullptr) publisher->publish(Message());
  });
  executor_->add_node(node);
  executor_->add_node(other);
  executor_->set_task(writer, {.extra_releases = true});
  executor_->set_task(
      reader, {.reads = {{subscription, {.max_age = 20ms, .on_stale = model::OnStale::report}}}});
  start();
  ASSERT_TRUE(jobs_.wait_for_at_least(3));
  {
    const std::lock_guard lock(mutex);
    publisher = other->create_publisher<Message>("news", 1);
  }
  EXPECT_TRUE(testing::eventually([&] {
    return executor_->counters("b/timer:100ms").extra_releases > 0;
  })) << executor_->statistics().ages.stale_reported
      << " stale, " << executor_->statistics().ages.refreshed << ::testing::PrintToString(log());
  stop();
}

}  // namespace
}  // namespace takt::rclcpp
