// Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
// Timing of nodes that know nothing of it: by strategy files and by set_task.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <std_msgs/msg/u_int64.hpp>

#include "takt_core/tasks/error.hpp"
#include "takt_core/tasks/testing/error_of.hpp"
#include "testing/background.hpp"

namespace takt::rclcpp {
namespace {

using namespace std::chrono_literals;
using takt::testing::error_of;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;
using testing::Watched;
using Message = std_msgs::msg::UInt64;

class StrategyTest : public testing::ExecutorTest {
 protected:
  StrategyTest() { make_executor({.policy = "np-fp"}); }
  ~StrategyTest() override { std::filesystem::remove(file_); }

  std::string write(const std::string & text) {
    std::ofstream(file_) << text;
    return file_;
  }
  void note(char what) {
    const std::lock_guard lock(mutex_);
    if (order_.size() < 200) order_ += what;
    jobs_.add(1);
  }
  std::string order() {
    const std::lock_guard lock(mutex_);
    return order_;
  }

  /// A node with a timer that may read, every 7 ms, the `news` that the node publishes.
  struct News {
    ::rclcpp::Node::SharedPtr node;
    ::rclcpp::Publisher<Message>::SharedPtr publisher;
    ::rclcpp::Subscription<Message>::SharedPtr subscription;
    ::rclcpp::TimerBase::SharedPtr reader;
    void publish() const { publisher->publish(std::make_unique<Message>()); }
  };
  News make_news() {
    const auto node = make_node("a", ::rclcpp::NodeOptions().use_intra_process_comms(true));
    return {node, node->create_publisher<Message>("news", 1),
            node->create_subscription<Message>("news", 1, [](const Message &) {}),
            node->create_wall_timer(7ms, [this] { jobs_.add(1); })};
  }

  const std::string file_ =
      std::filesystem::temp_directory_path() / ("takt_strategy_test." + std::to_string(getpid()));
  std::mutex mutex_;
  std::string order_;
  Watched<int> jobs_;
};

TEST_F(StrategyTest, PrioritiesOrderTimersThatAreDueAtOnce) {
  const auto node = make_node("a");
  const auto low = node->create_wall_timer(5ms, [&] { note('l'); });
  const auto high = node->create_wall_timer(5ms, [&] { note('h'); });
  executor_->add_node(node);
  executor_->set_task(low, {.priority = 10, .phase = 0ms});
  executor_->set_task(high, {.priority = 20, .phase = 0ms});
  start();
  ASSERT_TRUE(jobs_.wait_for_at_least(12));
  stop();
  EXPECT_THAT(order(), StartsWith("hlhlhlhlhl"));
}

TEST_F(StrategyTest, TheNamesToWriteAreThereBeforeItSpins) {
  const auto node = make_node("a");
  const auto group = node->create_callback_group(::rclcpp::CallbackGroupType::MutuallyExclusive);
  executor_->add_node(node);
  const auto first = node->create_wall_timer(20ms, [] {});
  const auto second = node->create_wall_timer(20ms, [] {}, group);
  std::vector<std::string> names;
  for (const auto & [number, name] : executor_->tasks()) names.push_back(name);
  EXPECT_THAT(names, ::testing::IsSupersetOf({"a/timer:20ms", "a/timer:20ms#2"}));
}

TEST_F(StrategyTest, AFileGivesTimingToNodesThatKnowNothingOfIt) {
  const auto node = make_node("a");
  const auto low = node->create_wall_timer(20ms, [&] { note('l'); });
  const auto high = node->create_wall_timer(20ms, [&] { note('h'); });
  executor_->add_node(node);
  executor_->set_task(low, {.phase = 0ms});
  executor_->set_task(high, {.phase = 0ms});
  executor_->load_strategy(write(R"(default: normal
scenarios:
  normal:
    tasks:
      a/timer:20ms#1: {priority: 10, deadline: 10ms}
      a/timer:20ms#2: {priority: 20}
)"));
  start();
  ASSERT_TRUE(jobs_.wait_for_at_least(8));
  EXPECT_EQ(executor_->scenario(), "normal");
  stop();
  EXPECT_THAT(order(), StartsWith("hlhlhl"));
}

TEST_F(StrategyTest, ATimerThatCannotBeToldApartIsRefusedWithWhatToWrite) {
  const auto node = make_node("a");
  const auto first = node->create_wall_timer(20ms, [] {});
  const auto second = node->create_wall_timer(20ms, [] {});
  executor_->add_node(node);
  const std::string file = write(R"(default: s
scenarios: {s: {tasks: {"a/timer:20ms": {priority: 10}}}}
)");
  EXPECT_THAT(error_of([&] { executor_->load_strategy(file); }),
              HasSubstr("write a/timer:20ms#1 or a/timer:20ms#2"));
  // The old one, none, stays.
  EXPECT_EQ(executor_->scenario(), "");
}

TEST_F(StrategyTest, WhatNamesNothingIsRefused) {
  executor_->add_node(make_node("a"));
  const std::string file = write(R"(default: s
scenarios: {s: {tasks: {"a/nothing": {priority: 10}}}}
)");
  const auto node = make_node("b");
  executor_->add_node(node);
  EXPECT_THAT(error_of([&] { executor_->load_strategy(file); }), HasSubstr("no such task"));
}

TEST_F(StrategyTest, ScenariosChangeAsItSpins) {
  const auto node = make_node("a");
  Watched<int> calls;
  const auto timer = node->create_wall_timer(2ms, [&] { calls.add(1); });
  Watched<int> others;
  const auto other = node->create_wall_timer(3ms, [&] { others.add(1); });
  executor_->add_node(node);
  executor_->load_strategy(write(R"(default: normal
scenarios:
  normal: {tasks: {"a/timer:2ms": {priority: 10}}}
  quiet: {tasks: {"a/timer:2ms": {suspended: true}}}
)"));
  start();
  ASSERT_TRUE(calls.wait_for_at_least(3));
  executor_->request_scenario("quiet");
  ASSERT_TRUE(testing::eventually([&] { return executor_->scenario() == "quiet"; }));
  // One may have started just before.
  const int until = others.get() + 3;
  ASSERT_TRUE(others.wait_for_at_least(until));
  const int before = calls.get();
  ASSERT_TRUE(others.wait_for_at_least(until + 4));
  EXPECT_EQ(calls.get(), before);
  executor_->request_scenario("normal");
  EXPECT_TRUE(calls.wait_for_at_least(before + 3));
  stop();
}

TEST_F(StrategyTest, ATimerReadsWhatTheFileSaysItSubscribes) {
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
  // It has no jobs of its own.
  EXPECT_THAT(tasks(), ::testing::Not(::testing::Contains("a/news")));
  stop();
}

TEST_F(StrategyTest, DataThatIsTooOldIsRefreshed) {
  const News news = make_news();
  const auto writer = news.node->create_wall_timer(20ms, [&] { news.publish(); });
  executor_->add_node(news.node);
  executor_->load_strategy(write(R"(default: s
scenarios:
  s:
    tasks:
      a/timer:7ms: {priority: 90, max_age: {news: 10ms}}
      a/timer:20ms: {priority: 10, publishes: news}
)"));
  start();
  ASSERT_TRUE(jobs_.wait_for_at_least(12));
  const auto ages = executor_->statistics().ages;
  EXPECT_GT(ages.refreshed + ages.stale_reported, 0u);
  stop();
}

TEST_F(StrategyTest, WhoPublishesTooSeldomIsReleasedOnceMore) {
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

// As set_task() says it, from a file: for a timer of either clock.
TEST_F(StrategyTest, AFileSaysWhoIsReleasedOnceMore) {
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

TEST_F(StrategyTest, AFileSaysWhatBecomesOfDataThatIsTooOld) {
  const auto node = make_node("a");
  const auto subscription = node->create_subscription<Message>("news", 1, [](const Message &) {});
  Watched<int> jobs;
  const auto reader = node->create_wall_timer(2ms, [&] { jobs.add(1); });
  executor_->add_node(node);
  const auto file = [this](const std::string & on_stale) {
    return write("default: s\nscenarios: {s: {tasks: {\"a/timer:2ms\": {max_age: {news: 1ms}" +
                 on_stale + "}}}}\n");
  };
  // Nobody here publishes it.
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

TEST_F(StrategyTest, ACallbackMayLoadAnotherFile) {
  const auto node = make_node("a");
  const std::string file = write(R"(default: other
scenarios: {other: {tasks: {"a/timer:2ms": {priority: 10}}}}
)");
  Watched<int> calls;
  const auto timer = node->create_wall_timer(2ms, [&] {
    if (calls.get() == 0) executor_->load_strategy(file);
    calls.add(1);
  });
  executor_->add_node(node);
  start();
  EXPECT_TRUE(testing::eventually([&] { return executor_->scenario() == "other"; }));
  EXPECT_TRUE(calls.wait_for_at_least(3));
  stop();
}

TEST_F(StrategyTest, WhatDoesNotFitToTheEntityIsRefused) {
  const auto node = make_node("a");
  const auto timer = node->create_wall_timer(20ms, [] {});
  const auto subscription = node->create_subscription<Message>("news", 1, [](const Message &) {});
  executor_->add_node(node);
  const auto set = [&](const auto & entity, const TaskOptions & options) {
    return error_of([&] { executor_->set_task(entity, options); });
  };
  EXPECT_THAT(set(timer, {.priority = 99}), HasSubstr("priority"));
  EXPECT_THAT(set(timer, {.deadline = 30ms}), HasSubstr("beyond the period"));
  EXPECT_THAT(set(timer, {.phase = -1ms}), HasSubstr("phase is negative"));
  EXPECT_THAT(set(timer, {.min_interval = 1ms}), HasSubstr("no min_interval"));
  EXPECT_THAT(set(timer, {.triggers = true}), HasSubstr("only a subscription"));
  EXPECT_THAT(set(subscription, {.phase = 1ms}), HasSubstr("only a timer"));
  EXPECT_THAT(set(subscription, {.reads = {{subscription}}}), HasSubstr("only a timer"));
  EXPECT_THAT(set(::rclcpp::TimerBase::SharedPtr(), {}), HasSubstr("nullptr"));
  EXPECT_THAT(set(timer, {.priority = 98, .deadline = 5ms}), IsEmpty());
}

TEST_F(StrategyTest, ReadersAndWhatTheyReadExcludeEachOtherOrAreRefusedEachTime) {
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

TEST_F(StrategyTest, ATimerReadsTheSubscriptionItWasGivenOfTwoOnOneTopic) {
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

TEST_F(StrategyTest, ARefusedFileLeavesWhatTimersReadAlone) {
  const auto node = make_node("a");
  const auto subscription = node->create_subscription<Message>("news", 1, [](const Message &) {});
  const auto timer = node->create_wall_timer(2ms, [] {});
  executor_->add_node(node);
  const std::string file = write(R"(default: s
scenarios: {s: {tasks: {"a/timer:2ms": {subscribes: news}, "a/nothing": {priority: 3}}}}
)");
  EXPECT_THAT(error_of([&] { executor_->load_strategy(file); }), HasSubstr("no such task"));
  EXPECT_THAT(tasks(), ::testing::Contains("a/news"));
}

TEST_F(StrategyTest, WhatWaitsGetsAJobWhenTheSubscriptionTriggersAgain) {
  const auto node = make_node("a", ::rclcpp::NodeOptions().use_intra_process_comms(true));
  const auto publisher = node->create_publisher<Message>("news", 10);
  const auto subscription =
      node->create_subscription<Message>("news", 10, [&](const Message &) { jobs_.add(1); });
  const auto timer = node->create_wall_timer(2ms, [] {});
  timer->cancel();
  executor_->add_node(node);
  executor_->load_strategy(write(R"(default: s
scenarios: {s: {tasks: {"a/timer:2ms": {subscribes: news}}}}
)"));
  start();
  ASSERT_TRUE(testing::eventually([&] { return executor_->processor().spinning(); }));
  for (int i = 0; i < 4; ++i) publisher->publish(Message());
  executor_->load_strategy(write(R"(default: s
scenarios: {s: {tasks: {"a/timer:2ms": {priority: 7}}}}
)"));
  EXPECT_TRUE(jobs_.wait_for_at_least(4)) << jobs_.get();
  stop();
}

TEST_F(StrategyTest, FilesMayBeLoadedByManyThreadsAtOnce) {
  const auto node = make_node("a", ::rclcpp::NodeOptions().use_intra_process_comms(true));
  const auto subscription = node->create_subscription<Message>("news", 1, [](const Message &) {});
  const auto timer = node->create_wall_timer(2ms, [&] { jobs_.add(1); });
  executor_->add_node(node);
  const std::string reads = write(R"(default: s
scenarios: {s: {tasks: {"a/timer:2ms": {subscribes: news}}}}
)");
  const auto other = takt::load_strategy(reads);
  for (const bool spins : {false, true}) {
    if (spins) start();
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&, i] {
        for (int k = 0; k < 25; ++k) {
          executor_->set_scheduling_strategy((i + k) % 2 == 0 ? other : nullptr);
        }
      });
    }
    for (auto & thread : threads) thread.join();
  }
  EXPECT_TRUE(jobs_.wait_for_at_least(3));
  stop();
}

TEST_F(StrategyTest, APublisherThatIsMadeLaterRefreshesToo) {
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
